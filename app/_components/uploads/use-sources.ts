"use client";

import type { inferRouterOutputs } from "@trpc/server";
import { useEffect, useState } from "react";
import { poll } from "@/client/poll";
import type { AppRouter } from "@/server/api/root";
import { browserWaiting } from "../../_trpc/browser-waiting";
import { useApiClient } from "../../_trpc/client";
import { readingOf } from "../../_trpc/reading";

export type Source = inferRouterOutputs<AppRouter>["sources"]["read"][number];

// Inspections queue behind each other; thirty files of a book take their time.
const PATIENCE_MS = 10 * 60_000;

/**
 * Returns what is known of these sources, asking on the poll schedule while one of them is still being inspected. A source that does not
 * exist any more is null once that is known.
 */
export function useSources(ids: readonly string[]): ReadonlyMap<string, Source | null> {
  const client = useApiClient();
  const [known, setKnown] = useState<ReadonlyMap<string, Source | null>>(new Map());
  const open = ids.filter((id) => !known.has(id) || known.get(id)?.state === "inspecting");
  const wanted = open.join(" ");

  useEffect(() => {
    if (wanted === "") return;
    const sourceIds = wanted.split(" ");
    const stop = new AbortController();
    poll<readonly Source[]>({
      patienceMs: PATIENCE_MS,
      waiting: browserWaiting,
      signal: stop.signal,
      read: (timeoutMs) =>
        readingOf(
          (signal) => client.sources.read.query({ sourceIds }, { signal }),
          timeoutMs,
          stop.signal,
          (sources) => ({
            isTerminal: sources.every((source) => source.state !== "inspecting"),
            retryAfterMs: null,
          }),
        ),
      onReading: (reading) => {
        if (reading.type !== "read") return;
        const read = new Map(reading.status.map((source) => [source.sourceId, source]));
        setKnown((before) => new Map([...before, ...sourceIds.map((id) => [id, read.get(id) ?? null] as const)]));
      },
    }).catch(() => undefined);
    return () => stop.abort();
  }, [wanted, client]);

  return known;
}
