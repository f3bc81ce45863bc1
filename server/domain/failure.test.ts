import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode, isFailureCode, PacketFailure, policyOf, refusalCode } from "./failure";

const codes = Object.keys(FAILURES) as FailureCode[];
const codesOf = (disposition: string) => codes.filter((code) => policyOf(code).disposition === disposition);

describe("failure codes", () => {
  it("each have exactly one disposition, an HTTP status and a sentence that says what to do [C126,C174]", () => {
    for (const code of codes) {
      const policy = policyOf(code);
      expect(["permanent", "transient"]).toContain(policy.disposition);
      expect(policy.http).toBeGreaterThanOrEqual(400);
      expect(policy.publicMessage).toMatch(/^[A-Z].*\.$/);
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
  });

  it("for bad input, a changed source or a wrong type are permanent [C135,C136,C137,C163,C164,C177]", () => {
    for (const code of [
      "payload_invalid",
      "source_malformed",
      "source_unsupported_type",
      "source_digest_mismatch",
    ] as const) {
      expect(policyOf(code).disposition).toBe("permanent");
    }
  });

  it("for denied access, a rejected template and a PDF that fails its checks are permanent [C178,C179,C180,C189]", () => {
    for (const code of ["not_found", "template_rejected", "acceptance_failed"] as const) {
      expect(policyOf(code).disposition).toBe("permanent");
    }
  });

  it("for deadlines, a busy or lost renderer, full disks and silent storage are transient [C127,C175,C176,C191]", () => {
    expect(codesOf("transient")).toEqual(
      expect.arrayContaining([
        "render_deadline",
        "renderer_busy",
        "renderer_lost",
        "workspace_full",
        "storage_unavailable",
      ]),
    );
  });

  it("let a render deadline be tried again, but fewer times than the rest [C127]", () => {
    expect(policyOf("render_deadline").attemptsMax).toBe(2);
  });

  it("name the HTTP status that the articles ask for [C12,C22,C94,C105]", () => {
    expect(FAILURES.idempotency_conflict.http).toBe(409);
    expect(FAILURES.payload_invalid.http).toBe(422);
    expect(FAILURES.manifest_empty.http).toBe(422);
    expect(FAILURES.duplicate_positions.http).toBe(422);
    expect(FAILURES.too_many_outstanding.http).toBe(429);
    expect(FAILURES.lane_closed.http).toBe(503);
  });

  it("are recognised, and what is not one of them reads as a damaged file", () => {
    expect(isFailureCode("source_encrypted")).toBe(true);
    expect(isFailureCode("toString")).toBe(false);
    expect(refusalCode("no such code")).toBe("source_malformed");
  });
});

describe("a packet failure", () => {
  it("says its code and nothing else in its message, so that content cannot travel in it [C165]", () => {
    const failure = new PacketFailure("source_malformed", { detail: "Anna's file", position: 7, page: 2 });
    expect(failure.message).toBe("source_malformed");
    expect(String(failure)).not.toContain("Anna");
  });
});
