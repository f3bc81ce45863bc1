/** What a client of PostgreSQL says, as far as a proxy must understand it: where a transaction is committed, and what it did. */
export interface ClientReader {
  /** Takes the next bytes. Where they end a COMMIT that the server will now carry out, returns the statements of its transaction. */
  sees(bytes: Buffer): string | null;
}

const INT32 = 4;
const COMMIT = /^\s*(commit|end)\b/i;
const BEGIN = /^\s*(begin|start transaction)\b/i;

/**
 * Reads the client's side of one connection, by simple and by extended query: messages are a letter, a length and a body, but for the very
 * first, which has no letter. https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export function readClient(): ClientReader {
  let waiting = Buffer.alloc(0);
  let isStarted = false;
  let isPending = false;
  let said: string[] = [];
  const statements = new Map<string, string>();
  const portals = new Map<string, string>();

  /** Notes a statement that is carried out; true where it commits. */
  function run(statement: string): boolean {
    if (COMMIT.test(statement)) return true;
    if (BEGIN.test(statement)) said = [];
    said.push(statement);
    return false;
  }

  function take(type: string, body: Buffer): boolean {
    const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
    switch (type) {
      case "Q":
        return run(first);
      case "P":
        statements.set(first, second);
        return false;
      case "B":
        portals.set(first, statements.get(second) ?? "");
        return false;
      case "E":
        isPending = run(portals.get(first) ?? "") || isPending;
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
      let committed: string | null = null;
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (waiting.length < head + INT32) return committed;
        const end = head + waiting.readInt32BE(head);
        if (waiting.length < end) return committed;
        const body = waiting.subarray(head + INT32, end);
        if (isStarted && take(waiting.toString("latin1", 0, 1), body)) {
          committed = said.join("\n");
          said = [];
        }
        isStarted = true;
        waiting = waiting.subarray(end);
      }
    },
  };
}
