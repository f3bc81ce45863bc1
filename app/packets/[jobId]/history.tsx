"use client";

import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../../_components/moment";
import { Panel } from "../../_components/panel";
import { ProblemNotice } from "../../_components/problem-notice";
import { useApi } from "../../_trpc/client";
import classes from "./packet.module.css";
import { historyWords } from "./words";

type Entry = inferRouterOutputs<AppRouter>["packets"]["history"][number];

/** Who did what with this packet, newest first. */
export function History({ jobId }: { readonly jobId: string }) {
  const history = useQuery(useApi().packets.history.queryOptions({ jobId }));
  return (
    <Panel title="History">
      {history.isPending && (
        <Stack gap="xs">
          <Skeleton height={14} width="80%" />
          <Skeleton height={14} width="60%" />
        </Stack>
      )}
      {history.isError && (
        <ProblemNotice title="The history could not be read" error={history.error} onRetry={() => history.refetch()} />
      )}
      {history.data !== undefined && (
        <ol className={classes.history}>
          {runsOf(history.data).map(({ entry, times }) => (
            <li key={entry.id}>
              {historyWords(entry.action)} by {entry.who}
              {times > 1 && `, ${times} times`}
              <Text size="xs" c="dimmed">
                <Moment at={entry.at} />
              </Text>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

/** Joins what the same person did several times in a row, so that reading a book ten times does not hide who made it. */
function runsOf(entries: readonly Entry[]): { entry: Entry; times: number }[] {
  const runs: { entry: Entry; times: number }[] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && last.entry.action === entry.action && last.entry.who === entry.who) last.times += 1;
    else runs.push({ entry, times: 1 });
  }
  return runs;
}
