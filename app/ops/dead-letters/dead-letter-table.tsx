"use client";

import { Text } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import { DataTable } from "mantine-datatable";
import Link from "next/link";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../../_components/moment";
import { durationWords, numberWords } from "../../_components/words";
import classes from "../ops.module.css";

export type Letter = inferRouterOutputs<AppRouter>["operations"]["deadLetters"]["rows"][number];

interface Props {
  readonly rows: readonly Letter[];
  readonly paging: { readonly total: number; readonly perPage: number; readonly page: number };
  readonly selected: readonly Letter[];
  readonly isStale: boolean;
  onSelect(rows: readonly Letter[]): void;
  onPage(page: number): void;
}

const WIDE = { titleClassName: classes.wide ?? "", cellsClassName: () => classes.wide ?? "" };

/** Which job, why it died, how often it was tried, since when, and until when there is input to try again with. */
export function DeadLetterTable({ rows, paging, selected, isStale, onSelect, onPage }: Props) {
  return (
    <DataTable<Letter>
      records={[...rows]}
      idAccessor="jobId"
      totalRecords={paging.total}
      recordsPerPage={paging.perPage}
      page={paging.page}
      onPageChange={onPage}
      paginationText={({ from, to, totalRecords }) => `${from}–${to} of ${numberWords(totalRecords)}`}
      paginationActiveTextColor="var(--bindery-on-filled)"
      getPaginationControlProps={(control) => ({ "aria-label": `${control} page` })}
      selectedRecords={[...selected]}
      onSelectedRecordsChange={onSelect}
      allRecordsSelectionCheckboxProps={{ "aria-label": "Select all on this page" }}
      getRecordSelectionCheckboxProps={(row) => ({ "aria-label": `Select ${row.jobId}` })}
      fetching={isStale}
      // It is never shown empty, and its own words for that would be read aloud all the same.
      emptyState={<span />}
      verticalSpacing="sm"
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      columns={[
        { accessor: "jobId", title: "Job", width: 220, render: (row) => <Job row={row} />, ...WIDE },
        { accessor: "code", title: "Reason", render: (row) => <Reason row={row} /> },
        { accessor: "stage", title: "Stage", width: 96, render: (row) => row.stage ?? "none", ...WIDE },
        {
          accessor: "attempts",
          title: "Attempts",
          textAlign: "right",
          width: 96,
          render: (row) => `${row.attempts} of ${row.attemptsMax}`,
          ...WIDE,
        },
        { accessor: "diedAt", title: "Failed", width: 180, render: (row) => <Failed row={row} />, ...WIDE },
        { accessor: "inputUntil", title: "Input there", width: 150, render: (row) => <Input row={row} />, ...WIDE },
      ]}
    />
  );
}

function Job({ row }: { readonly row: Letter }) {
  return (
    <>
      <Link href={`/ops/jobs/${row.jobId}`} className={`${classes.id} ${classes.link}`}>
        {row.jobId}
      </Link>
      <Text size="xs" c="dimmed">
        {row.kind}, {row.lane}
      </Text>
    </>
  );
}

function Reason({ row }: { readonly row: Letter }) {
  return (
    <>
      <span className={classes.code}>{row.code}</span>
      <Text size="xs" c="dimmed">
        {row.reason}
        {row.firstCode !== row.code && ` First: ${row.firstCode}.`}
      </Text>
      <div className={classes.narrow}>
        <Job row={row} />
        <Text size="xs" c="dimmed">
          {row.stage ?? "no stage"}, {row.attempts} of {row.attemptsMax} attempts, dead for {ageWords(row)}, input{" "}
          <Input row={row} />
        </Text>
      </div>
    </>
  );
}

function Failed({ row }: { readonly row: Letter }) {
  return (
    <>
      {ageWords(row)} ago
      <Text size="xs" c="dimmed">
        {row.firstFailedAt === null ? (
          "first failure not recorded"
        ) : (
          <>
            first <Moment at={row.firstFailedAt} />
          </>
        )}
      </Text>
    </>
  );
}

function Input({ row }: { readonly row: Letter }) {
  if (row.inputUntil === null) return "erased";
  return (
    <>
      until <Moment at={row.inputUntil} show="day" />
    </>
  );
}

function ageWords(row: Letter): string {
  return row.ageMs === null ? "unknown" : durationWords(row.ageMs);
}
