"use client";

import { type Dispatch, useEffect, useRef } from "react";
import { sendFile, UploadProblem } from "../../../_components/uploads/send-file";
import type { FileRow, Row, RowsAction } from "./rows";

const AT_ONCE = 3;

/** Sends what waits, three files at a time. Removing a row stops its upload; leaving the page stops all. */
export function useUploads(rows: readonly Row[], dispatch: Dispatch<RowsAction>): void {
  const running = useRef(new Map<string, AbortController>());

  useEffect(() => {
    const files = rows.filter((row) => row.type === "file");
    for (const [key, stop] of running.current) {
      if (!files.some((row) => row.key === key && row.upload.type !== "sent")) {
        stop.abort();
        running.current.delete(key);
      }
    }
    const waiting = files.filter((row) => row.upload.type === "waiting" && !running.current.has(row.key));
    for (const row of waiting.slice(0, AT_ONCE - running.current.size)) void send(row);
  });

  useEffect(() => {
    const all = running.current;
    return () => {
      for (const stop of all.values()) stop.abort();
      all.clear();
    };
  }, []);

  async function send(row: FileRow): Promise<void> {
    if (row.upload.type !== "waiting") return;
    const { file } = row.upload;
    const stop = new AbortController();
    running.current.set(row.key, stop);
    const report = (upload: FileRow["upload"]) => dispatch({ type: "upload", key: row.key, upload });
    report({ type: "sending", file, share: 0 });
    try {
      const sourceId = await sendFile(file, {
        purpose: "pages",
        signal: stop.signal,
        onProgress: (share) => report({ type: "sending", file, share }),
      });
      running.current.delete(row.key);
      report({ type: "sent", sourceId });
    } catch (error) {
      running.current.delete(row.key);
      // Stopped by the person: the row is gone or holds another file already.
      if (stop.signal.aborted) return;
      const problem =
        error instanceof UploadProblem ? error : new UploadProblem("The upload did not work. Try again.", true);
      report({ type: "broken", file, message: problem.message, mayRetry: problem.mayRetry });
    }
  }
}
