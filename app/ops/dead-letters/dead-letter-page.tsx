"use client";

import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { IconCircleCheck, IconMailOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { EmptyState } from "../../_components/empty-state";
import { PageHeader } from "../../_components/page-header";
import { ProblemNotice } from "../../_components/problem-notice";
import { RowSkeletons } from "../../_components/row-skeletons";
import { counted } from "../../_components/words";
import { useApi } from "../../_trpc/client";
import { DeadLetterFilters } from "./dead-letter-filters";
import { DeadLetterTable, type Letter } from "./dead-letter-table";
import { addressOf, type LetterFilter, readFilter } from "./filter";
import { type Outcome, outcomeWords } from "./outcome-words";
import { SelectionBar } from "./selection-bar";

const REFRESH_MS = 10_000;

/** All dead letters: narrow, look, choose, and redrive or discard them. */
export function DeadLetterPage() {
  const query = useSearchParams();
  const filter = readFilter((name) => query.get(name));
  const [selected, setSelected] = useState<readonly Letter[]>([]);
  const [isAll, setIsAll] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const letters = useQuery(
    useApi().operations.deadLetters.queryOptions(filter, {
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const clear = () => {
    setSelected([]);
    setIsAll(false);
  };
  const change = (next: LetterFilter) => {
    clear();
    // Next reads the address from here; going through the router would fetch the page itself again.
    window.history.pushState(null, "", addressOf(next));
  };
  const list = letters.data;
  const isNarrowed = addressOf({ ...filter, page: 1 }) !== addressOf({ page: 1 });
  return (
    <>
      <PageHeader
        title="Dead letters"
        trail={[{ href: "/ops", label: "Operations" }]}
        description="Jobs that used up their attempts or their time. None is tried again unless you say so."
      />
      <Stack gap="md">
        {outcome !== null && (
          <Alert
            color={outcome.refused.length === 0 ? "positive" : "caution"}
            icon={<IconCircleCheck aria-hidden="true" />}
            role="status"
            withCloseButton
            closeButtonLabel="Close this message"
            onClose={() => setOutcome(null)}
          >
            <Text size="sm">{outcomeWords(outcome)}</Text>
            {outcome.done.length === 1 && outcome.done[0]?.newJobId && (
              <Anchor component={Link} href={`/ops/jobs/${outcome.done[0].newJobId}`} size="sm" underline="always">
                Open the new job
              </Anchor>
            )}
          </Alert>
        )}
        {letters.isError && (
          <ProblemNotice
            title="Dead letters could not be read"
            error={letters.error}
            onRetry={() => letters.refetch()}
          />
        )}
        {letters.isPending && <RowSkeletons />}
        {list !== undefined && (
          <>
            {(isNarrowed || list.choices.code.length > 0) && (
              <DeadLetterFilters choices={list.choices} filter={filter} onChange={change} />
            )}
            {list.total === 0 ? (
              <EmptyState icon={IconMailOff} title={isNarrowed ? "No dead letter fits" : "No dead letters"}>
                {isNarrowed
                  ? "Take a filter off to see the others."
                  : "Work that used up its attempts or its time would wait here for you."}
              </EmptyState>
            ) : (
              <>
                <SelectionBar
                  selected={selected}
                  total={list.total}
                  isAll={isAll}
                  filter={filter}
                  onAll={() => setIsAll(true)}
                  onClear={clear}
                  onSettled={(settled) => {
                    setOutcome(settled);
                    clear();
                  }}
                />
                <DeadLetterTable
                  rows={list.rows}
                  paging={{ total: list.total, perPage: list.perPage, page: filter.page }}
                  selected={isAll ? list.rows : selected}
                  isStale={letters.isPlaceholderData}
                  onSelect={(rows) => {
                    setIsAll(false);
                    setSelected(rows);
                  }}
                  onPage={(page) => change({ ...filter, page })}
                />
                <Text size="sm" c="dimmed">
                  {counted(list.total, "dead letter")}
                  {isNarrowed && " of this sort"}. Submitters see plain words, and can try again themselves.
                </Text>
              </>
            )}
          </>
        )}
      </Stack>
    </>
  );
}
