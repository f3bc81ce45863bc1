"use client";

import { SimpleGrid, Skeleton, Text } from "@mantine/core";
import {
  type Icon,
  IconBook2,
  IconFileText,
  IconForms,
  IconReportAnalytics,
  IconTruckDelivery,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { EmptyState } from "../../_components/empty-state";
import { ProblemNotice } from "../../_components/problem-notice";
import { useApi } from "../../_trpc/client";
import classes from "./new-packet.module.css";

const PICTURES: Readonly<Record<string, Icon>> = {
  "onboarding-packet": IconForms,
  "monthly-report": IconReportAnalytics,
  "board-book": IconBook2,
  "depot-report": IconTruckDelivery,
};

/** The kinds that this person may make, one card each. */
export function KindChoice() {
  const kinds = useQuery(useApi().packets.kinds.queryOptions());
  if (kinds.isPending) return <Skeleton height={160} />;
  if (kinds.isError)
    return <ProblemNotice title="The kinds could not be read" error={kinds.error} onRetry={() => kinds.refetch()} />;
  if (kinds.data.length === 0) {
    return (
      <EmptyState icon={IconFileText} title="Nothing to make here">
        No kind of packet is open to you. An admin of your tenant can change that.
      </EmptyState>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {kinds.data.map((kind) => {
        const Picture = PICTURES[kind.name] ?? IconFileText;
        return (
          <li key={kind.name}>
            <Link href={`/packets/new/${kind.name}`} className={classes.kind}>
              <Picture size={28} stroke={1.5} aria-hidden="true" className={classes.picture} />
              <span>
                <span className={classes.kindTitle}>{kind.title}</span>
                <Text span size="sm" c="dimmed" display="block">
                  {kind.description}
                </Text>
              </span>
            </Link>
          </li>
        );
      })}
    </SimpleGrid>
  );
}
