"use client";

import type { inferRouterOutputs } from "@trpc/server";
import { DataTable } from "mantine-datatable";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../_components/moment";
import { StateBadge } from "../_components/state-badge";
import { numberWords, periodWords } from "../_components/words";
import classes from "./packets.module.css";

type List = inferRouterOutputs<AppRouter>["packets"]["list"];
type Row = List["rows"][number];

interface Props {
  readonly list: List;
  readonly page: number;
  readonly isStale: boolean;
  onPage(page: number): void;
}

/** Name first, then state, then pages and time. A row opens its packet. */
export function PacketTable({ list, page, isStale, onPage }: Props) {
  const router = useRouter();
  return (
    <DataTable<Row>
      records={list.rows as Row[]}
      idAccessor="jobId"
      totalRecords={list.total}
      recordsPerPage={list.perPage}
      page={page}
      onPageChange={onPage}
      paginationText={({ from, to, totalRecords }) => `${from}–${to} of ${numberWords(totalRecords)}`}
      paginationActiveTextColor="var(--bindery-on-filled)"
      getPaginationControlProps={(control) => ({ "aria-label": PAGING[control] })}
      fetching={isStale}
      // It is never shown empty, and its own words for that would be read aloud all the same.
      emptyState={<span />}
      highlightOnHover
      verticalSpacing="sm"
      minHeight={160}
      rowClassName={classes.row ?? ""}
      onRowClick={({ record, event }) => {
        // The link in the row does its own work, and so does a selection of text.
        if (event.target instanceof Element && event.target.closest("a") !== null) return;
        if (window.getSelection()?.isCollapsed === false) return;
        router.push(hrefOf(record));
      }}
      columns={[
        { accessor: "subject", title: "Packet", render: (row) => <Name row={row} /> },
        {
          accessor: "state",
          title: "State",
          width: 150,
          render: (row) => (
            <StateBadge state={row.state} isWaitingToRetry={row.isWaitingToRetry} failureCode={row.failureCode} />
          ),
        },
        {
          accessor: "pages",
          title: "Pages",
          textAlign: "right",
          width: 90,
          titleClassName: classes.wide ?? "",
          cellsClassName: () => classes.wide ?? "",
          render: (row) => (row.pages === null ? "" : numberWords(row.pages)),
        },
        {
          accessor: "acceptedAt",
          title: "Submitted",
          width: 190,
          titleClassName: classes.wide ?? "",
          cellsClassName: () => classes.wide ?? "",
          render: (row) => <Moment at={row.acceptedAt} />,
        },
      ]}
    />
  );
}

const PAGING = { first: "First page", previous: "Previous page", next: "Next page", last: "Last page" } as const;

function Name({ row }: { readonly row: Row }) {
  const revision = row.revisionNumber !== null && row.revisionNumber > 1 ? ` · revision ${row.revisionNumber}` : "";
  const audience = row.kind === "board-book" ? ` · ${row.audience} copy` : "";
  return (
    <>
      <Link href={hrefOf(row)} className={classes.name}>
        {row.subject}
      </Link>
      <div className={classes.subline}>
        {row.kindTitle}
        {` · ${row.scope} · ${periodWords(row.period)}${audience}${revision}`}
      </div>
      <div className={`${classes.subline} ${classes.narrow}`}>
        <Moment at={row.acceptedAt} />
      </div>
    </>
  );
}

function hrefOf(row: Row): string {
  return `/packets/${row.jobId}`;
}
