import { describe, expect, it } from "vitest";
import { disposition, eraseBy, retainUntil, retentionPolicy, retentionYears } from "./retention";

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

  it("ends at its instant: kept until then, disposed of from then on, and once", () => {
    const until = new Date("2033-11-30T09:04:00Z");
    const at = (ms: number) => new Date(until.getTime() + ms);
    expect(disposition({ retainUntil: until, erasedAt: null }, at(-1))).toBe("keep");
    expect(disposition({ retainUntil: until, erasedAt: null }, at(0))).toBe("dispose");
    expect(disposition({ retainUntil: until, erasedAt: at(0) }, at(1))).toBe("keep");
  });

  it("is the deployment's policy where it has one, and the kind's own where not; a kind that is none is refused [C306]", () => {
    const book = { name: "board-book", retention: { years: 10 } };
    const kinds = ["board-book", "depot-report"];
    const policy = retentionPolicy({ "board-book": 3 }, kinds);
    expect(retentionYears(book, policy)).toBe(3);
    expect(retentionYears({ ...book, name: "depot-report" }, policy)).toBe(10);
    expect(() => retentionPolicy({ "board-bok": 3 }, kinds)).toThrow(/BINDERY_RETENTION.*board-bok/);
  });
});
