"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { FieldFinding } from "../../_components/payload-form/store";
import { useApi } from "../../_trpc/client";
import { failureOf, type PageFailure } from "../../_trpc/failure";

export interface PacketRequest {
  readonly kind: string;
  readonly audience: string;
  readonly payload: unknown;
}

export interface Submission {
  readonly isPending: boolean;
  /** True once accepted: the page is on its way to the packet. */
  readonly isDone: boolean;
  /** What stood in the way, where it belongs to no field. */
  readonly failure: PageFailure | null;
  submit(request: PacketRequest): void;
}

/** Submits a packet once, however often the button is pressed, and leads to its page. Findings go to their fields. */
export function useSubmission(onFindings: (findings: readonly FieldFinding[]) => void): Submission {
  const api = useApi();
  const queries = useQueryClient();
  const router = useRouter();
  const isUnderWay = useRef(false);
  const [isDone, setDone] = useState(false);
  const mutation = useMutation(
    api.packets.submit.mutationOptions({
      onSuccess: ({ jobId, replayed }) => {
        setDone(true);
        if (replayed) {
          notifications.show({
            color: "accent",
            title: "It was submitted before",
            message: "The same content makes the same packet: here it is.",
          });
        }
        void queries.invalidateQueries({ queryKey: api.packets.list.queryKey() });
        router.push(`/packets/${jobId}`);
      },
      onError: (error) => {
        isUnderWay.current = false;
        onFindings(failureOf(error).findings);
      },
    }),
  );
  const failure = mutation.error === null ? null : failureOf(mutation.error);
  return {
    isPending: mutation.isPending,
    isDone,
    failure: failure !== null && failure.findings.length > 0 ? null : failure,
    submit: (request) => {
      // The state of the page follows a moment later; two clicks within it are still one submission.
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(request);
    },
  };
}
