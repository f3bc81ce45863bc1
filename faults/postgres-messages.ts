/** What a client of PostgreSQL says, as far as a proxy must understand it: where a transaction is committed. */
export interface ClientReader {
  /** Takes the next bytes and returns true where they end a COMMIT that the server will now carry out. */
  sees(bytes: Buffer): boolean;
}

const INT32 = 4;
const COMMIT = /^\s*(commit|end)\b/i;

/**
 * Reads the client's side of one connection, by simple and by extended query: messages are a letter, a length and a body, but for the very
 * first, which has no letter. https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export function readClient(): ClientReader {
  let waiting = Buffer.alloc(0);
  let isStarted = false;
  let isPending = false;
  const commits = new Set<string>();
  const portals = new Set<string>();

  function take(type: string, body: Buffer): boolean {
    const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
    switch (type) {
      case "Q":
        return COMMIT.test(first);
      case "P":
        commits.delete(first);
        if (COMMIT.test(second)) commits.add(first);
        return false;
      case "B":
        portals.delete(first);
        if (commits.has(second)) portals.add(first);
        return false;
      case "E":
        isPending ||= portals.has(first);
        return false;
      case "S": {
        const isCommit = isPending;
        isPending = false;
        return isCommit;
      }
      default:
        return false;
    }
  }

  return {
    sees: (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      let found = false;
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (waiting.length < head + INT32) return found;
        const end = head + waiting.readInt32BE(head);
        if (waiting.length < end) return found;
        if (isStarted) found = take(waiting.toString("latin1", 0, 1), waiting.subarray(head + INT32, end)) || found;
        isStarted = true;
        waiting = waiting.subarray(end);
      }
    },
  };
}
