import { describe, expect, it } from "vitest";
import { eraseBy, retainUntil } from "./retention";

describe("retention", () => {
  it("of an artifact is whole calendar years, leap days included", () => {
    expect(retainUntil(new Date("2026-11-30T09:04:00Z"), 7).toISOString()).toBe("2033-11-30T09:04:00.000Z");
    expect(retainUntil(new Date("2028-02-29T00:00:00Z"), 1).toISOString()).toBe("2029-03-01T00:00:00.000Z");
  });

  it("of input follows from acceptance alone: a later retry computes nothing anew [C310,C312,C318]", () => {
    const acceptedAt = new Date("2026-11-30T09:00:00Z");
    expect(eraseBy(acceptedAt, 30).toISOString()).toBe("2026-12-30T09:00:00.000Z");
    expect(eraseBy(acceptedAt, 30).getTime()).toBeLessThan(retainUntil(acceptedAt, 7).getTime());
  });
});
