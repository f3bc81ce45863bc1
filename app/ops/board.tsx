"use client";

import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Moment } from "../_components/moment";
import { PageHeader } from "../_components/page-header";
import { ProblemNotice } from "../_components/problem-notice";
import { useApi } from "../_trpc/client";
import { DeadLetterSummary } from "./dead-letter-summary";
import { LaneTable } from "./lane-table";
import { Outcomes } from "./outcomes";
import { Timers } from "./timers";
import { Workers } from "./workers";

const REFRESH_MS = 5_000;

/** The state of the service, looked at again every five seconds while the page is open. */
export function Board() {
  const lanes = useQuery(useApi().operations.lanes.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const view = lanes.data;
  return (
    <>
      <PageHeader
        title="Operations"
        description={
          view !== undefined && (
            <Text size="sm" c="dimmed">
              As of <Moment at={view.at} />
            </Text>
          )
        }
      />
      <Stack gap="lg">
        {lanes.isError && (
          <ProblemNotice title="The state could not be read" error={lanes.error} onRetry={() => lanes.refetch()} />
        )}
        {lanes.isPending && <Skeleton height={240} />}
        {view !== undefined && (
          <>
            <LaneTable lanes={view.lanes} />
            <Outcomes view={view} />
          </>
        )}
        <DeadLetterSummary />
        <Timers />
        {view !== undefined && <Workers workers={view.workers} />}
      </Stack>
    </>
  );
}
