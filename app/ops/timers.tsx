"use client";

import { SegmentedControl, Skeleton, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Fragment, useState } from "react";
import type { AppRouter } from "@/server/api/root";
import { Panel } from "../_components/panel";
import { ProblemNotice } from "../_components/problem-notice";
import { WideTable } from "../_components/wide-table";
import { numberWords } from "../_components/words";
import { useApi } from "../_trpc/client";
import { FlowChart } from "./flow-chart";
import classes from "./ops.module.css";
import { Pressure } from "./pressure";
import { shortWords } from "./short-words";
import { Spread } from "./spread";

type View = inferRouterOutputs<AppRouter>["operations"]["timers"];
type Timer = View["lanes"][number]["timers"][number];

const REFRESH_MS = 15_000;

/** Where the time goes: each phase for itself, by lane. There is no sum of them, because a sum cannot say what to do. */
export function Timers() {
  const [window, setWindow] = useState<View["window"]>("hour");
  const timers = useQuery(
    useApi().operations.timers.queryOptions(
      { window },
      { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  const view = timers.data;
  return (
    <>
      <Panel
        title="Where does the time go?"
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Measured over the last"
            value={window}
            onChange={(value) => setWindow(value === "day" ? "day" : "hour")}
            data={[
              { value: "hour", label: "Hour" },
              { value: "day", label: "Day" },
            ]}
          />
        }
      >
        {timers.isPending && <Skeleton height={240} />}
        {timers.isError && (
          <ProblemNotice title="The timers could not be read" error={timers.error} onRetry={() => timers.refetch()} />
        )}
        {view !== undefined && <TimerTable view={view} />}
      </Panel>
      {view !== undefined && <FlowChart view={view} />}
      {view !== undefined && <Pressure view={view} />}
    </>
  );
}

function TimerTable({ view }: { readonly view: View }) {
  const lanes = view.lanes.filter(({ timers }) => timers.some(({ count }) => count > 0));
  if (lanes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nothing was begun in this time.
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <WideTable label="Timers by lane">
        <Table verticalSpacing={6} horizontalSpacing="sm" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Timer</Table.Th>
              <Table.Th ta="right">Measured</Table.Th>
              <Table.Th ta="right">p50</Table.Th>
              <Table.Th ta="right">p95</Table.Th>
              <Table.Th ta="right">p99</Table.Th>
              <Table.Th className={classes.spread}>
                <VisuallyHidden>p50 to p99 on a scale of powers of ten</VisuallyHidden>
                <Scale />
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lanes.map(({ lane, timers }) => (
              <Fragment key={lane}>
                <Table.Tr className={classes.group}>
                  <Table.Th scope="rowgroup" colSpan={6}>
                    {lane}
                  </Table.Th>
                </Table.Tr>
                {timers.map((timer) => (
                  <Row key={timer.timer} timer={timer} />
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      <Text size="xs" c="dimmed">
        From the rows of attempts and checkpoints. A stage that was skipped or taken up from an earlier attempt is not
        counted; validation is the check of the input and of the finished file together.
      </Text>
    </Stack>
  );
}

function Row({ timer }: { readonly timer: Timer }) {
  return (
    <Table.Tr>
      <Table.Td className={classes.code}>{timer.timer}</Table.Td>
      <Table.Td ta="right">{numberWords(timer.count)}</Table.Td>
      {[timer.p50, timer.p95, timer.p99].map((ms, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three figures that never move.
        <Table.Td key={index} ta="right">
          {ms === null ? "none" : shortWords(ms)}
        </Table.Td>
      ))}
      <Table.Td className={classes.spread}>
        {timer.p50 !== null && timer.p95 !== null && timer.p99 !== null && (
          <Spread p50={timer.p50} p95={timer.p95} p99={timer.p99} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Scale() {
  return (
    <span className={classes.scale} aria-hidden="true">
      <span>10 ms</span>
      <span>1 s</span>
      <span>2 min</span>
      <span>3 h</span>
    </span>
  );
}
