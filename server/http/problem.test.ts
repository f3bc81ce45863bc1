import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode, isFailureCode, PacketFailure } from "@/server/domain/failure";
import { Problem } from "./machine-schemas";
import { problemOf, problemResponse } from "./problem";

const CODES = Object.keys(FAILURES).filter(isFailureCode);

describe("a problem", () => {
  it.each(CODES)(
    "%s has its status, says what to do, and is of the form that is described",
    async (code: FailureCode) => {
      const response = problemResponse(new PacketFailure(code, { detail: "Canary", cause: new Error("Canary") }), "r");
      expect(response.status).toBe(FAILURES[code].http);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(response.headers.get("cache-control")).toBe("no-store");
      const text = await response.text();
      expect(text).not.toContain("Canary");
      expect(Problem.parse(JSON.parse(text))).toMatchObject({ code, type: `urn:bindery:problem:${code}` });
    },
  );

  it("that waiting mends always says when to ask again, in the header as in the body", () => {
    for (const code of CODES) {
      const response = problemResponse(new PacketFailure(code), "r");
      const isMended = [429, 503].includes(FAILURES[code].http);
      expect(response.headers.get("retry-after") !== null, code).toBe(isMended);
    }
    const known = problemResponse(new PacketFailure("lane_closed", { retryAfterSeconds: 60 }), "r");
    expect(known.headers.get("retry-after")).toBe("60");
  });

  it("points into what was sent, with the signs of a pointer written as RFC 6901 says", () => {
    const findings = [{ path: ["a/b", "c~d", 3], code: "too_long", message: "Write less." }];
    const failure = new PacketFailure("payload_invalid", { findings });
    expect(problemOf(failure, "r", ["items", 7, "payload"]).errors).toEqual([
      { pointer: "/items/7/payload/a~1b/c~0d/3", code: "too_long", detail: "Write less." },
    ]);
  });

  it("names no more findings than anybody reads", () => {
    const findings = Array.from({ length: 5_000 }, (_, index) => ({ path: [index], code: "x", message: "y" }));
    expect(problemOf(new PacketFailure("payload_invalid", { findings }), "r").errors).toHaveLength(200);
  });
});
