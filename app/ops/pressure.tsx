"use client";

import { SimpleGrid, Text } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Facts } from "../_components/facts";
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
        <Facts
          facts={[
            ["Oldest backoff", view.oldestBackoffMs === 0 ? "nobody waits" : durationWords(view.oldestBackoffMs)],
            ["Retries", numberWords(sumOf(view.retries))],
            ...codesOf(view.retries),
          ]}
        />
      </Panel>
      <Panel title={`Refused for good, ${over}`}>
        <Facts
          facts={[
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
          <Facts
            facts={view.deletions.map(({ task, lastAt, done, failed, lagMsMax }) => [
              task,
              <>
                {numberWords(done)} gone, latest by {durationWords(lagMsMax)}
                {failed > 0 && <span className={classes.bad}>{numberWords(failed)} not</span>}
                <Text size="xs" c="dimmed">
                  last run <Moment at={lastAt} />
                </Text>
              </>,
            ])}
          />
        )}
      </Panel>
    </SimpleGrid>
  );
}

function sumOf(coded: View["retries"]): number {
  return coded.reduce((sum, { count }) => sum + count, 0);
}

function codesOf(coded: View["retries"]): [string, string][] {
  return coded.slice(0, 5).map(({ code, count }) => [code, numberWords(count)]);
}
