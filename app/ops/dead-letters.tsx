"use client";

import { Skeleton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { DataTable } from "mantine-datatable";
import { useState } from "react";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../_components/moment";
import { Panel } from "../_components/panel";
import { ProblemNotice } from "../_components/problem-notice";
import { numberWords } from "../_components/words";
import { useApi } from "../_trpc/client";
import classes from "./ops.module.css";

type Row = inferRouterOutputs<AppRouter>["operations"]["deadLetters"]["rows"][number];

const REFRESH_MS = 10_000;

/** Jobs that no attempt will touch without an operator, with code, attempts and since when. */
export function DeadLetters() {
  const [page, setPage] = useState(1);
  const letters = useQuery(
    useApi().operations.deadLetters.queryOptions(
      { page },
      { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  return (
    <Panel
      title="Dead letters"
      aside={
        letters.data !== undefined && (
          <Text size="sm" c="dimmed">
            {numberWords(letters.data.total)}
          </Text>
        )
      }
    >
      {letters.isPending && <Skeleton height={96} />}
      {letters.isError && (
        <ProblemNotice title="Dead letters could not be read" error={letters.error} onRetry={() => letters.refetch()} />
      )}
      {letters.data?.total === 0 && (
        <Text size="sm" c="dimmed">
          None. Work that used up its attempts or its time would stand here.
        </Text>
      )}
      {letters.data !== undefined && letters.data.total > 0 && (
        <DataTable<Row>
          records={letters.data.rows}
          idAccessor="jobId"
          totalRecords={letters.data.total}
          recordsPerPage={letters.data.perPage}
          page={page}
          onPageChange={setPage}
          paginationText={({ from, to, totalRecords }) => `${from}–${to} of ${numberWords(totalRecords)}`}
          paginationActiveTextColor="var(--bindery-on-filled)"
          // It is never shown empty, and its own words for that would be read aloud all the same.
          emptyState={<span />}
          getPaginationControlProps={(control) => ({ "aria-label": `${control} page` })}
          verticalSpacing="xs"
          scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
          columns={[
            {
              accessor: "jobId",
              title: "Job",
              width: 210,
              render: (row) => (
                <>
                  <span className={classes.id}>{row.jobId}</span>
                  <Text size="xs" c="dimmed">
                    {row.kind}, {row.lane}
                  </Text>
                </>
              ),
            },
            { accessor: "code", title: "Reason", render: (row) => <Reason row={row} /> },
            { accessor: "stage", title: "Stage", width: 100, render: (row) => row.stage ?? "none" },
            {
              accessor: "attempts",
              title: "Attempts",
              textAlign: "right",
              width: 100,
              render: (row) => `${row.attempts} of ${row.attemptsMax}`,
            },
            {
              accessor: "diedAt",
              title: "Since",
              width: 170,
              render: (row) => row.diedAt !== null && <Moment at={row.diedAt} />,
            },
            {
              accessor: "erasedAt",
              title: "Workspace",
              width: 170,
              render: (row) =>
                row.erasedAt === null ? (
                  "not known to be gone"
                ) : (
                  <>
                    gone <Moment at={row.erasedAt} />
                  </>
                ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Reason({ row }: { readonly row: Row }) {
  return (
    <>
      <span className={classes.code}>{row.code}</span>
      <Text size="xs" c="dimmed">
        {row.reason.replace(/ We will try again\.$/, "")}
        {row.firstCode !== row.code && ` First: ${row.firstCode}.`}
      </Text>
    </>
  );
}
