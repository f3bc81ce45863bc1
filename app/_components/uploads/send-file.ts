import { z } from "zod/mini";

const Answer = z.object({ sourceId: z.string() });
const Refusal = z.object({ code: z.string(), message: z.string() });

/** An upload that ended without a source: what happened, in plain words, and whether sending the same file again may help. */
export class UploadProblem extends Error {
  override readonly name = "UploadProblem";
  constructor(
    message: string,
    readonly mayRetry: boolean,
  ) {
    super(message);
  }
}

export interface SendOptions {
  readonly purpose: string;
  readonly signal: AbortSignal;
  /** Told how much has been sent, from 0 to 1. */
  onProgress(share: number): void;
}

// fetch cannot tell how much of a body has been sent; XMLHttpRequest can.
/** Sends one file as it is and returns its source id. Rejects with `UploadProblem`, or with the signal's reason. */
export function sendFile(file: File, { purpose, signal, onProgress }: SendOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/uploads");
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-bindery-title", encodeURIComponent(file.name.toWellFormed()));
    request.setRequestHeader("x-bindery-purpose", purpose);
    request.upload.onprogress = (event) => onProgress(event.total === 0 ? 0 : event.loaded / event.total);
    request.onload = () => {
      const answer = Answer.safeParse(jsonOf(request.responseText));
      if (request.status === 201 && answer.success) resolve(answer.data.sourceId);
      else reject(problemOf(request));
    };
    request.onerror = () => reject(new UploadProblem("The connection broke off. Try again.", true));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) reject(signal.reason);
    else request.send(file);
  });
}

function problemOf(request: XMLHttpRequest): UploadProblem {
  const refusal = Refusal.safeParse(jsonOf(request.responseText));
  if (!refusal.success) return new UploadProblem("Bindery did not take this file. Try again.", true);
  const mayRetry = request.status >= 500 || refusal.data.code === "source_incomplete";
  return new UploadProblem(refusal.data.message, mayRetry);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not an answer of ours, such as a proxy's page.
    return null;
  }
}
