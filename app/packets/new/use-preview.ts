"use client";

import { useMutation } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useEffect, useState } from "react";
import { poll } from "@/client/poll";
import { PATIENCE_MS } from "@/client/poll-schedule";
import type { AppRouter } from "@/server/api/root";
import type { FieldFinding } from "../../_components/payload-form/store";
import { browserWaiting } from "../../_trpc/browser-waiting";
import { useApi, useApiClient } from "../../_trpc/client";
import { failureOf } from "../../_trpc/failure";
import { readingOf } from "../../_trpc/reading";
import type { PacketRequest } from "./use-submission";

type View = inferRouterOutputs<AppRouter>["packets"]["readPreview"];

export type PreviewState =
  | { readonly type: "none" }
  | { readonly type: "waiting" }
  | { readonly type: "making" }
  | { readonly type: "ready"; readonly jobId: string; readonly pages: number; readonly expiresAt: Date }
  | { readonly type: "expired" }
  | { readonly type: "failed"; readonly message: string };

/** A preview of what a form would make: asked for, watched, shown, and gone after its minutes. */
export function usePreview(onFindings: (findings: readonly FieldFinding[]) => void) {
  const api = useApi();
  const client = useApiClient();
  const [state, setState] = useState<PreviewState>({ type: "none" });
  const [jobId, setJobId] = useState<string | null>(null);
  /** How often the form had been changed when this preview was asked for. */
  const [madeAt, setMadeAt] = useState(0);
  const order = useMutation(
    api.packets.preview.mutationOptions({
      onSuccess: (ordered) => setJobId(ordered.jobId),
      onError: (error) => {
        const failure = failureOf(error);
        onFindings(failure.findings);
        const message =
          failure.findings.length > 0 ? "Mend the fields that are marked, then ask again." : failure.message;
        setState({ type: "failed", message });
      },
    }),
  );

  useEffect(() => {
    if (jobId === null) return;
    const stop = new AbortController();
    poll<View>({
      patienceMs: PATIENCE_MS,
      waiting: browserWaiting,
      signal: stop.signal,
      read: (timeoutMs) =>
        readingOf(
          (signal) => client.packets.readPreview.query({ jobId }, { signal }),
          timeoutMs,
          stop.signal,
          (view) => ({
            isTerminal: view.isTerminal,
            retryAfterMs: null,
          }),
        ),
      onReading: (reading) => {
        if (reading.type === "read" && reading.status.state === "running") setState({ type: "making" });
      },
    }).then(
      (end) => {
        if (end.type === "terminal") setState(stateOf(end.status));
        else setState({ type: "failed", message: "The preview was not ready in time. Ask again in a moment." });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, [jobId, client]);

  useEffect(() => {
    if (state.type !== "ready") return;
    const timer = setTimeout(() => setState({ type: "expired" }), Math.max(0, state.expiresAt.getTime() - Date.now()));
    return () => clearTimeout(timer);
  }, [state]);

  const ask = (request: PacketRequest, changes: number) => {
    if (order.isPending) return;
    setJobId(null);
    setMadeAt(changes);
    setState({ type: "waiting" });
    order.mutate(request);
  };
  return { state, madeAt, ask };
}

function stateOf(view: View): PreviewState {
  if (view.state === "succeeded" && view.pages !== null && view.expiresAt !== null) {
    return { type: "ready", jobId: view.jobId, pages: view.pages, expiresAt: view.expiresAt };
  }
  const fields = view.failure?.findings.map((finding) => finding.message).join(" ") ?? "";
  return { type: "failed", message: `${view.failure?.message ?? "The preview could not be made."} ${fields}`.trim() };
}
