import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { readClient } from "./postgres-messages";

/** What stands between a process and its database (the names are those of ToxiProxy's toxics). */
export type Toxic =
  | { readonly type: "none" }
  /** Nobody gets in, and whoever was in is out. */
  | { readonly type: "down" }
  /** Each chunk comes this much later, and sometimes as much again by chance. */
  | { readonly type: "latency"; readonly ms: number; readonly jitterMs: number }
  | { readonly type: "slow"; readonly bytesPerSecond: number }
  /** Chunks come in pieces of this size. */
  | { readonly type: "sliced"; readonly bytes: number }
  /** Half open: connections stand, and nothing comes through any more, either way. */
  | { readonly type: "black-hole" };

export interface DatabaseProxy {
  /** The address of the database by way of this proxy. */
  url(databaseUrl: string): string;
  set(toxic: Toxic): void;
  /** Ends every connection at once, with a reset. */
  reset(): void;
  /**
   * Lets the next COMMIT through and never lets the client know: once the server has answered, `onCut` runs and the connection is cut.
   * `of` is what its transaction must have said. Resolves when that has happened.
   */
  cutAfterCommit(cut?: { readonly of?: RegExp; readonly onCut?: () => void }): Promise<void>;
  /** Forgets a cut that has not happened. */
  disarm(): void;
  close(): Promise<void>;
}

interface Cut {
  readonly of: RegExp;
  readonly onCut: () => void;
  readonly done: () => void;
}

/** Opens a proxy on a port of its own. The target is asked for with each connection, since a restarted server has another port. */
export async function openDatabaseProxy(targetPort: () => number, random: () => number): Promise<DatabaseProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let toxic: Toxic = { type: "none" };
  let armed: Cut | null = null;

  const server = createServer((client) => {
    if (toxic.type === "down") return void client.resetAndDestroy();
    const upstream = connect(targetPort(), "127.0.0.1");
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const reader = readClient();
    let cut: Cut | null = null;
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);

    const up = pace(upstream, () => toxic, random);
    const down = pace(client, () => toxic, random);
    client.on("data", (bytes: Buffer) => {
      const committed = reader.sees(bytes);
      if (committed !== null && armed?.of.test(committed)) {
        cut = armed;
        armed = null;
      }
      up(bytes);
    });
    upstream.on("data", (bytes: Buffer) => {
      if (cut === null) return down(bytes);
      // The server has answered: the transaction is committed, and nobody will hear of it.
      const { onCut, done } = cut;
      onCut();
      end();
      done();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  if (port === undefined) throw new Error("The proxy has no port.");

  const reset = () => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
    pairs.clear();
  };
  return {
    url: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    set: (next) => {
      const wasBlack = toxic.type === "black-hole";
      toxic = next;
      // What was swallowed never comes: such a connection can only end.
      if (next.type === "down" || wasBlack) reset();
    },
    reset,
    cutAfterCommit: ({ of = /./, onCut = () => undefined } = {}) =>
      new Promise((done) => {
        armed = { of, onCut, done };
      }),
    disarm: () => {
      armed = null;
    },
    close: async () => {
      reset();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns what writes to `socket` at the pace of the toxic, in order. */
function pace(socket: Socket, toxic: () => Toxic, random: () => number): (bytes: Buffer) => void {
  let last = Promise.resolve();
  let queued = 0;
  const write = (bytes: Buffer) => void (socket.destroyed || socket.write(bytes));
  return (bytes) => {
    const now = toxic();
    if (now.type === "black-hole") return;
    const pieces = now.type === "sliced" ? sliced(bytes, now.bytes) : [bytes];
    for (const piece of pieces) {
      const ms = delayOf(now, piece.length, random);
      if (ms === 0 && queued === 0) {
        write(piece);
        continue;
      }
      queued += 1;
      last = last
        .then(() => new Promise((resolve) => setTimeout(resolve, ms)))
        .then(() => {
          queued -= 1;
          write(piece);
        });
    }
  };
}

function delayOf(toxic: Toxic, bytes: number, random: () => number): number {
  if (toxic.type === "latency") return toxic.ms + random() * toxic.jitterMs;
  if (toxic.type === "slow") return Math.min(2_000, (bytes * 1_000) / toxic.bytesPerSecond);
  return toxic.type === "sliced" ? 1 : 0;
}

function sliced(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
