"use client";

import { Button, Stack } from "@mantine/core";
import { IconFilePlus, IconFiles, IconFilterOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { EmptyState } from "../_components/empty-state";
import { PageHeader } from "../_components/page-header";
import { ProblemNotice } from "../_components/problem-notice";
import { RowSkeletons } from "../_components/row-skeletons";
import { usePerson } from "../_shell/person";
import { maySubmit } from "../_shell/places";
import { useApi } from "../_trpc/client";
import { ListFilters } from "./list-filters";
import { PacketTable } from "./packet-table";
import { useFilter } from "./use-filter";

const LIVE_MS = 8_000;

/** The list of packets with its filters; it looks again while something on it is still being made. */
export function PacketList() {
  const api = useApi();
  const { filter, change } = useFilter();
  const kinds = useQuery(api.packets.kinds.queryOptions());
  const list = useQuery(
    api.packets.list.queryOptions(filter, {
      placeholderData: keepPreviousData,
      refetchInterval: (query) =>
        query.state.data?.rows.some((row) => row.state === "queued" || row.state === "running") ? LIVE_MS : false,
    }),
  );
  const person = usePerson();
  const isNarrowed = filter.kind !== undefined || filter.state !== undefined || filter.text !== undefined;
  const newPacket = maySubmit(person) && (
    <Button component={Link} href="/packets/new" leftSection={<IconFilePlus size={18} aria-hidden="true" />}>
      New packet
    </Button>
  );
  return (
    <>
      <PageHeader title="Packets" action={newPacket} />
      <Stack gap="md">
        <ListFilters filter={filter} kinds={kinds.data ?? []} onChange={change} />
        {list.isPending && <RowSkeletons />}
        {list.isError && (
          <ProblemNotice title="The list could not be read" error={list.error} onRetry={() => list.refetch()} />
        )}
        {list.data !== undefined && list.data.total > 0 && (
          <PacketTable
            list={list.data}
            page={filter.page}
            isStale={list.isPlaceholderData}
            onPage={(page) => change({ page })}
          />
        )}
        {list.data?.total === 0 &&
          (isNarrowed ? (
            <EmptyState
              icon={IconFilterOff}
              title="No packet fits"
              action={
                <Button
                  variant="default"
                  onClick={() => change({ kind: undefined, state: undefined, text: undefined })}
                >
                  Show all packets
                </Button>
              }
            >
              Nothing matches this search and these filters together.
            </EmptyState>
          ) : (
            <EmptyState icon={IconFiles} title="No packets yet" action={newPacket}>
              A packet is one finished PDF, checked and kept: an onboarding packet, a report, a board book. Make the
              first one here.
            </EmptyState>
          ))}
      </Stack>
    </>
  );
}
