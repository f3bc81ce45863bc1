"use client";

import { Anchor, Skeleton, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Panel } from "../_components/panel";
import { ProblemNotice } from "../_components/problem-notice";
import { WideTable } from "../_components/wide-table";
import { durationWords, numberWords } from "../_components/words";
import { useApi } from "../_trpc/client";
import classes from "./ops.module.css";

const REFRESH_MS = 10_000;
const SHOWN = 8;

/** The newest jobs that no attempt will touch without an operator, and the way to all of them. */
export function DeadLetterSummary() {
  const letters = useQuery(useApi().operations.deadLetters.queryOptions({ page: 1 }, { refetchInterval: REFRESH_MS }));
  const total = letters.data?.total ?? 0;
  return (
    <Panel
      title="Dead letters"
      aside={
        total > 0 && (
          <Anchor component={Link} href="/ops/dead-letters" size="sm" underline="always">
            {total === 1 ? "Redrive or discard it" : `Redrive or discard all ${numberWords(total)}`}
          </Anchor>
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
      {letters.data !== undefined && total > 0 && (
        <WideTable label="The newest dead letters">
          <Table verticalSpacing="xs" horizontalSpacing="sm" className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Job</Table.Th>
                <Table.Th>Reason</Table.Th>
                <Table.Th>Stage</Table.Th>
                <Table.Th ta="right">Attempts</Table.Th>
                <Table.Th ta="right">Dead for</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {letters.data.rows.slice(0, SHOWN).map((row) => (
                <Table.Tr key={row.jobId}>
                  <Table.Td className={classes.id}>
                    <Link href={`/ops/jobs/${row.jobId}`} className={classes.link}>
                      {row.jobId}
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <span className={classes.code}>{row.code}</span>
                    <Text size="xs" c="dimmed">
                      {row.reason}
                      {row.firstCode !== row.code && ` First: ${row.firstCode}.`}
                    </Text>
                  </Table.Td>
                  <Table.Td>{row.stage ?? "none"}</Table.Td>
                  <Table.Td ta="right">
                    {row.attempts} of {row.attemptsMax}
                  </Table.Td>
                  <Table.Td ta="right">{row.ageMs === null ? "" : durationWords(row.ageMs)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideTable>
      )}
    </Panel>
  );
}
