import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "@/server/domain/ids";
import { formatCursor, parseCursor } from "./cursor";

describe("a cursor", () => {
  it("comes back as it was given out", () => {
    const cursor = { acceptedAt: new Date("2026-12-01T09:00:00.123Z"), jobId: newId("job") };
    expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
  });

  it("of anybody else's making is refused, never understood in part", () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const text of [
      "",
      "x",
      encode(null),
      encode([]),
      encode(["2026-12-01", newId("job")]),
      encode(["now", "job_1"]),
    ])
      expect(() => parseCursor(text), text).toThrow("invalid_request");
    fc.assert(fc.property(fc.string(), (text) => void expect(() => parseCursor(text)).toThrow("invalid_request")));
  });
});
