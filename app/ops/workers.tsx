"use client";

import { Table, Text } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../_components/moment";
import { Panel } from "../_components/panel";
import { WideTable } from "../_components/wide-table";
import { byteWords, numberWords } from "../_components/words";
import classes from "./ops.module.css";

type Worker = inferRouterOutputs<AppRouter>["operations"]["lanes"]["workers"][number];

/** Worker processes that have shown themselves in the last minute. */
export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  return (
    <Panel title="Workers">
      {workers.length === 0 ? (
        <Text size="sm" className={classes.bad}>
          No worker has shown itself in the last minute: nothing is being made.
        </Text>
      ) : (
        <WideTable label="Workers in numbers">
          <Table verticalSpacing="xs" horizontalSpacing="sm" className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Worker</Table.Th>
                <Table.Th>Started</Table.Th>
                <Table.Th>Last seen</Table.Th>
                <Table.Th ta="right">Running</Table.Th>
                <Table.Th ta="right">Memory</Table.Th>
                <Table.Th ta="right">Workspace</Table.Th>
                <Table.Th>Renderer build</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {workers.map((worker) => (
                <Table.Tr key={worker.workerId}>
                  <Table.Td className={classes.id}>{worker.workerId}</Table.Td>
                  <Table.Td>
                    <Moment at={worker.startedAt} />
                  </Table.Td>
                  <Table.Td>
                    <Moment at={worker.lastSeenAt} />
                  </Table.Td>
                  <Table.Td ta="right">{numberWords(worker.running)}</Table.Td>
                  <Table.Td ta="right">{byteWords(worker.rssBytes)}</Table.Td>
                  <Table.Td ta="right">{byteWords(worker.workspaceBytes)}</Table.Td>
                  <Table.Td className={classes.id}>{worker.rendererBuild.slice(0, 12)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideTable>
      )}
    </Panel>
  );
}
