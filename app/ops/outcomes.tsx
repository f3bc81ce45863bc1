"use client";

import { SimpleGrid, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Panel } from "../_components/panel";
import { numberWords } from "../_components/words";
import classes from "./ops.module.css";

type View = inferRouterOutputs<AppRouter>["operations"]["lanes"];

const OUTCOMES = [
  ["completed", "Archived"],
  ["validation_failed", "Refused"],
  ["dead_letter", "Dead letters"],
  ["cancelled", "Stopped"],
] as const;

/** The second and third question: what is failing, and is anything overdue for erasure? */
export function Outcomes({ view }: { readonly view: View }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Panel title="How work ended, last 24 hours">
        <dl className={classes.figures}>
          {OUTCOMES.map(([state, words]) => (
            <div key={state}>
              <dt>{words}</dt>
              <dd>{numberWords(view.outcomes[state] ?? 0)}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <Panel title="Is anything overdue for erasure?">
        <Text className={view.overdue === 0 ? classes.good : classes.bad} component="p" m={0}>
          {view.overdue === 0 ? (
            <IconCircleCheck size={20} aria-hidden="true" />
          ) : (
            <IconAlertTriangle size={20} aria-hidden="true" />
          )}
          {view.overdue === 0 ? "Nothing is past its deadline." : `${numberWords(view.overdue)} past their deadline.`}
        </Text>
      </Panel>
    </SimpleGrid>
  );
}
