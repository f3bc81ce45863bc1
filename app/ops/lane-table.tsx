"use client";

import { Badge, Table } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClockExclamation } from "@tabler/icons-react";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Panel } from "../_components/panel";
import badge from "../_components/state-badge.module.css";
import { WideTable } from "../_components/wide-table";
import { durationWords, numberWords } from "../_components/words";
import classes from "./ops.module.css";

type Lane = inferRouterOutputs<AppRouter>["operations"]["lanes"]["lanes"][number];

/** The first question: is anybody waiting too long? Oldest age per lane against its objective, then depth. */
export function LaneTable({ lanes }: { readonly lanes: readonly Lane[] }) {
  return (
    <Panel title="Is anybody waiting too long?">
      <WideTable label="Lanes">
        <Table verticalSpacing="sm" horizontalSpacing="sm" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Lane</Table.Th>
              <Table.Th>Oldest waiting</Table.Th>
              <Table.Th ta="right">Objective</Table.Th>
              <Table.Th ta="right">Ready</Table.Th>
              <Table.Th ta="right">Running</Table.Th>
              <Table.Th ta="right">Waiting to retry</Table.Th>
              <Table.Th ta="right">Slots</Table.Th>
              <Table.Th ta="right">Idle</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lanes.map((lane) => (
              <Table.Tr key={lane.lane}>
                <Table.Th scope="row">{lane.lane}</Table.Th>
                <Table.Td>
                  <Age lane={lane} />
                </Table.Td>
                <Table.Td ta="right">{durationWords(lane.ageMsMax)}</Table.Td>
                <Table.Td ta="right">{numberWords(lane.ready)}</Table.Td>
                <Table.Td ta="right">{numberWords(lane.running)}</Table.Td>
                <Table.Td ta="right">{numberWords(lane.retryWait)}</Table.Td>
                <Table.Td ta="right">{numberWords(lane.concurrency)}</Table.Td>
                <Table.Td ta="right">{numberWords(lane.idle)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Panel>
  );
}

function Age({ lane }: { readonly lane: Lane }) {
  const share = lane.oldestReadyMs / lane.ageMsMax;
  const { tone, icon: Picture, words } = share > 1 ? LATE : share > 0.5 ? SLOW : FINE;
  const age = lane.oldestReadyMs === 0 ? "nobody" : durationWords(lane.oldestReadyMs);
  return (
    <Badge
      variant="light"
      color={tone}
      radius="sm"
      className={badge.badge}
      leftSection={<Picture size={14} aria-hidden="true" />}
    >
      {age}
      {words}
    </Badge>
  );
}

const LATE = { tone: "problem", icon: IconAlertTriangle, words: ", closed to new work" } as const;
const SLOW = { tone: "caution", icon: IconClockExclamation, words: ", past half" } as const;
const FINE = { tone: "positive", icon: IconCircleCheck, words: "" } as const;
