import { BinderyFailure } from "./bindery-failure";

/**
 * Streams bytes through and holds them against what the record says of them: at the end they have this length and this SHA-256, or the
 * stream ends with `corrupt`; one that breaks off ends with `unreachable`. The digest is made by `hash`, which the platform brings.
 */
export function checkedBytes(
  stream: ReadableStream<Uint8Array>,
  expected: { readonly bytes: number; readonly digest: string },
  hash: { update(chunk: Uint8Array): void; digest(): Promise<string> | string },
): ReadableStream<Uint8Array> {
  let bytes = 0;
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > expected.bytes) throw new BinderyFailure("corrupt", "corrupt");
      hash.update(chunk);
      controller.enqueue(chunk);
    },
    flush: async () => {
      const digest = `sha256:${await hash.digest()}`;
      if (bytes !== expected.bytes || digest !== expected.digest) throw new BinderyFailure("corrupt", "corrupt");
    },
  });
  return unbroken(stream).pipeThrough(check);
}

/** The same bytes; where they break off, it is said in the way of this client. */
function unbroken(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(new BinderyFailure("unreachable", "unreachable", { cause }));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Returns a hash that keeps what it is given until the end, for browsers, whose own digest takes everything at once. */
export function wholeHash(): { update(chunk: Uint8Array): void; digest(): Promise<string> } {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    update: (chunk) => void chunks.push(new Uint8Array(chunk)),
    digest: async () => {
      const all = await new Blob(chunks).arrayBuffer();
      const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}
