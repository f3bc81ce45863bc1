"use client";

import { SimpleGrid, Text } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import type { ReactNode } from "react";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../_components/moment";
import { Panel } from "../_components/panel";
import { durationWords, numberWords } from "../_components/words";
import classes from "./ops.module.css";

type View = inferRouterOutputs<AppRouter>["operations"]["timers"];

/** What is tried again, what is refused, and how late removal was, over the same time as the timers. */
export function Pressure({ view }: { readonly view: View }) {
  const over = view.window === "hour" ? "last hour" : "last 24 hours";
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
      <Panel title={`Tried again, ${over}`}>
        <Counts
          counts={[
            ["Oldest backoff", view.oldestBackoffMs === 0 ? "nobody waits" : durationWords(view.oldestBackoffMs)],
            ["Retries", numberWords(sumOf(view.retries))],
            ...codesOf(view.retries),
          ]}
        />
      </Panel>
      <Panel title={`Refused for good, ${over}`}>
        <Counts
          counts={[
            ["Rejected", numberWords(sumOf(view.rejected))],
            ...codesOf(view.rejected),
            ["Archival jobs begun", numberWords(view.fidelities.archival ?? 0)],
            ["Previews begun", numberWords(view.fidelities.preview ?? 0)],
          ]}
        />
      </Panel>
      <Panel title={`Removed, ${over}`}>
        {view.deletions.length === 0 ? (
          <Text size="sm" c="dimmed">
            No removal was recorded in this time.
          </Text>
        ) : (
          <Counts
            counts={view.deletions.map(({ task, lastAt, done, failed, lagMsMax }) => [
              <span key={task} className={classes.code}>
                {task}
              </span>,
              `${numberWords(done)} gone, the latest ${durationWords(lagMsMax)} late`,
              <Text key="run" size="xs" c="dimmed" w="100%">
                {failed > 0 && `${numberWords(failed)} could not go. `}
                Last run <Moment at={lastAt} />
              </Text>,
            ])}
          />
        )}
      </Panel>
    </SimpleGrid>
  );
}

interface CountsProps {
  readonly counts: readonly (readonly [name: ReactNode, value: string, about?: ReactNode])[];
}

/** Names and figures at the two ends of a line. */
function Counts({ counts }: CountsProps) {
  return (
    <dl className={classes.counts}>
      {counts.map(([name, value, about], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: figures of one moment, in an order of their own.
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {about !== undefined && <dd>{about}</dd>}
        </div>
      ))}
    </dl>
  );
}

function sumOf(coded: View["retries"]): number {
  return coded.reduce((sum, { count }) => sum + count, 0);
}

function codesOf(coded: View["retries"]): [ReactNode, string][] {
  return coded.slice(0, 5).map(({ code, count }) => [
    <span key={code} className={classes.code}>
      {code}
    </span>,
    numberWords(count),
  ]);
}
