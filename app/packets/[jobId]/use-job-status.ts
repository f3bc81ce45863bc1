"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useEffect, useState } from "react";
import { poll } from "@/client/poll";
import type { AppRouter } from "@/server/api/root";
import { browserWaiting } from "../../_trpc/browser-waiting";
import { useApi, useApiClient } from "../../_trpc/client";
import { readingOf } from "../../_trpc/reading";

export type Packet = inferRouterOutputs<AppRouter>["packets"]["read"];

// Longer than a form waits: a large book takes minutes, and this page is where people wait for it. It is still one absolute deadline.
const PATIENCE_MS = 15 * 60_000;

/** The directory of an attempt goes right after the outcome is written: a few more readings show that too. */
const READINGS_AFTER_END = 3;

export type Watch =
  | "watching"
  /** The packet is made, or failed: nothing will change any more. */
  | "ended"
  /** The deadline of this page came first; the packet goes on being made. */
  | "stopped"
  /** There is nothing here, or it is not this person's to see. */
  | "refused";

/** Returns the packet and keeps it fresh until it is terminal, reading on the one poll schedule. It never submits anything. */
export function useJobStatus(jobId: string) {
  const api = useApi();
  const client = useApiClient();
  const queries = useQueryClient();
  const options = api.packets.read.queryOptions({ jobId });
  const query = useQuery({ ...options, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false });
  const [round, setRound] = useState(0);
  const [watch, setWatch] = useState<Watch>(query.data !== undefined && isDone(query.data) ? "ended" : "watching");
  const [isUnreadable, setUnreadable] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round watches again; the rest does not change while the page stands.
  useEffect(() => {
    const known = queries.getQueryData(options.queryKey);
    if (known !== undefined && isDone(known)) return setWatch("ended");
    const stop = new AbortController();
    let readingsAfterEnd = 0;
    const isOver = (packet: Packet) => {
      if (!packet.isTerminal) return false;
      readingsAfterEnd += 1;
      return isDone(packet) || readingsAfterEnd > READINGS_AFTER_END;
    };
    setWatch("watching");
    poll<Packet>({
      patienceMs: PATIENCE_MS,
      waiting: browserWaiting,
      signal: stop.signal,
      read: (timeoutMs) =>
        readingOf(
          (signal) => client.packets.read.query({ jobId }, { signal }),
          timeoutMs,
          stop.signal,
          (packet) => ({
            isTerminal: isOver(packet),
            // While a failed try waits, nothing can change before the next one.
            retryAfterMs: packet.nextTryAt === null ? null : packet.nextTryAt.getTime() - Date.now(),
          }),
        ),
      onReading: (reading) => {
        setUnreadable(reading.type === "unreadable");
        if (reading.type === "read") queries.setQueryData(options.queryKey, reading.status);
      },
    }).then(
      (end) => {
        setWatch(end.type === "terminal" ? "ended" : end.type === "deadline" ? "stopped" : "refused");
        void queries.invalidateQueries({ queryKey: api.packets.history.queryKey({ jobId }) });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [jobId, round]);

  return { packet: query.data, watch, isUnreadable, watchAgain: () => setRound((before) => before + 1) };
}

/** True where the outcome is written and the working copies are gone: nothing on this page will change by itself. */
function isDone(packet: Packet): boolean {
  return packet.isTerminal && packet.stages.some((stage) => stage.name === "erase" && stage.status === "passed");
}
