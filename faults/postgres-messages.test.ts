import { describe, expect, it } from "vitest";
import { readClient } from "./postgres-messages";

function message(type: string, ...texts: string[]): Buffer {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const STARTUP = message("", "user", "postgres");

describe("what a proxy understands of a client", () => {
  it("a commit by simple query, whatever the case, and what was done in its transaction", () => {
    const reader = readClient();
    expect(reader.sees(STARTUP)).toBe(null);
    expect(reader.sees(message("Q", "SELECT 'commit'"))).toBe(null);
    reader.sees(message("Q", "BEGIN"));
    reader.sees(message("Q", "UPDATE jobs"));
    expect(reader.sees(message("Q", "COMMIT"))).toBe("BEGIN\nUPDATE jobs");
    expect(reader.sees(message("Q", "commit;"))).toBe("");
    expect(reader.sees(message("Q", "COMMITS"))).toBe(null);
  });

  it("a commit by extended query, once it is to be carried out", () => {
    const reader = readClient();
    reader.sees(STARTUP);
    expect(reader.sees(message("P", "", "COMMIT", ""))).toBe(null);
    expect(reader.sees(message("B", "", "", ""))).toBe(null);
    expect(reader.sees(message("E", ""))).toBe(null);
    expect(reader.sees(message("S"))).toBe("");
    reader.sees(Buffer.concat([message("P", "", "SELECT 1", ""), message("B", "", "", ""), message("E", "")]));
    expect(reader.sees(message("S"))).toBe(null);
  });

  it("the same where the bytes come one by one", () => {
    const reader = readClient();
    const seen = [...Buffer.concat([STARTUP, message("Q", "COMMIT")])].map((byte) => reader.sees(Buffer.from([byte])));
    expect(seen.filter((answer) => answer !== null)).toHaveLength(1);
    expect(seen.at(-1)).toBe("");
  });
});
