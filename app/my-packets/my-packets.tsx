"use client";

import { Group, Stack, Text, Title } from "@mantine/core";
import { IconMailOpened } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { type CSSProperties, useId } from "react";
import type { AppRouter } from "@/server/api/root";
import { DownloadForm } from "../_components/download-form";
import { EmptyState } from "../_components/empty-state";
import { Moment } from "../_components/moment";
import { ProblemNotice } from "../_components/problem-notice";
import { RowSkeletons } from "../_components/row-skeletons";
import { byteWords, counted } from "../_components/words";
import { useApi } from "../_trpc/client";
import classes from "./my-packets.module.css";

type MyPacket = inferRouterOutputs<AppRouter>["packets"]["mine"][number];

/** Each packet with what it contains, until when it is kept, and its download. */
export function MyPackets() {
  const mine = useQuery(useApi().packets.mine.queryOptions());
  if (mine.isPending) return <RowSkeletons rows={3} />;
  if (mine.isError)
    return <ProblemNotice title="Your packets could not be read" error={mine.error} onRetry={() => mine.refetch()} />;
  if (mine.data.length === 0) {
    return (
      <EmptyState icon={IconMailOpened} title="Nothing here yet">
        When somebody sends you a packet, it stands here once it is made and checked.
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg" maw={760}>
      {mine.data.map((packet) => (
        <PacketCard key={packet.jobId} packet={packet} />
      ))}
    </Stack>
  );
}

function PacketCard({ packet }: { readonly packet: MyPacket }) {
  const id = useId();
  const isGone = packet.erasedAt !== null;
  return (
    <article
      className={classes.card}
      aria-labelledby={id}
      style={{ "--tenant-accent": packet.accent } as CSSProperties}
    >
      <Group justify="space-between" align="flex-start" gap="md">
        <div>
          <Text size="sm" c="dimmed">
            {packet.kindTitle} from {packet.from}
          </Text>
          <Title order={2} id={id}>
            {packet.subject}
          </Title>
        </div>
        {!isGone && <DownloadForm jobId={packet.jobId} label={`Download, ${byteWords(packet.bytes)}`} />}
      </Group>
      <ol className={classes.contents} aria-label="What it contains">
        {packet.contents.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the contents of a finished packet never change order, and titles may repeat.
          <li key={index}>
            <span>{part.title}</span>
            <span className={classes.pages}>{counted(part.pages, "page")}</span>
          </li>
        ))}
      </ol>
      <Text size="sm" c="dimmed">
        {packet.erasedAt === null ? (
          <>
            {counted(packet.pages, "page")}, made <Moment at={packet.archivedAt} show="day" />, kept until{" "}
            <Moment at={packet.retainUntil} show="day" />.
          </>
        ) : (
          <>
            Kept as long as promised and removed <Moment at={packet.erasedAt} show="day" />.
          </>
        )}
      </Text>
    </article>
  );
}
