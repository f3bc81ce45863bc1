"use client";

import { useEffect, useRef, useState } from "react";
import { sendFile, UploadProblem } from "./send-file";

export type UploadState =
  | { readonly type: "idle" }
  | { readonly type: "sending"; readonly title: string; readonly share: number }
  | { readonly type: "broken"; readonly title: string; readonly message: string; readonly retry: (() => void) | null };

/** One file on its way up: progress, cancel, try again. `onSent` gets its source id. */
export function useUpload(purpose: string, onSent: (sourceId: string) => void) {
  const [state, setState] = useState<UploadState>({ type: "idle" });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const start = async (file: File) => {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    setState({ type: "sending", title: file.name, share: 0 });
    try {
      const sourceId = await sendFile(file, {
        purpose,
        signal: own.signal,
        onProgress: (share) => setState({ type: "sending", title: file.name, share }),
      });
      setState({ type: "idle" });
      onSent(sourceId);
    } catch (error) {
      if (own.signal.aborted) return;
      const mayRetry = !(error instanceof UploadProblem) || error.mayRetry;
      const message = error instanceof UploadProblem ? error.message : "The upload did not work. Try again.";
      setState({ type: "broken", title: file.name, message, retry: mayRetry ? () => void start(file) : null });
    }
  };
  const cancel = () => {
    stop.current?.abort();
    setState({ type: "idle" });
  };
  return { state, start, cancel };
}
