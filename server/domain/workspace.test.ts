import { describe, expect, it } from "vitest";
import { formatMarker, parseMarker, type SeenWorkspace, type SweepRule, sweepVerdict } from "./workspace";

const NAME = "0123456789abcdef0123456789abcdef";
const marker = { jobId: "job_1", attempt: 2, eraseBy: new Date("2026-12-24T00:00:00Z") };
const rule: SweepRule = { now: new Date("2026-12-01T12:00:00Z"), thresholdMs: 3_600_000, owner: 1000, device: 7 };
const seen: SeenWorkspace = {
  name: NAME,
  isDirectory: true,
  owner: 1000,
  device: 7,
  mode: 0o40700,
  touchedAt: new Date("2026-12-01T10:00:00Z"),
  marker,
};

describe("a directory may be swept", () => {
  it("when it is ours and was not touched for longer than the threshold", () => {
    expect(sweepVerdict(seen, rule)).toBe("abandoned");
  });

  it("not a moment before: at the threshold it stays, one millisecond later it goes [C302]", () => {
    const touched = (ms: number) => ({ ...seen, touchedAt: new Date(rule.now.getTime() - ms) });
    expect(sweepVerdict(touched(rule.thresholdMs - 1), rule)).toBe("young");
    expect(sweepVerdict(touched(rule.thresholdMs), rule)).toBe("young");
    expect(sweepVerdict(touched(rule.thresholdMs + 1), rule)).toBe("abandoned");
  });

  it("not when it was touched in the future, as a clock that jumped back makes it seem", () => {
    expect(sweepVerdict({ ...seen, touchedAt: new Date("2026-12-02T00:00:00Z") }, rule)).toBe("young");
  });

  it.each<[string, Partial<SeenWorkspace>]>([
    ["without a marker [C301]", { marker: null }],
    ["of another account", { owner: 0 }],
    ["on another device", { device: 8 }],
    ["that others may enter", { mode: 0o40750 }],
    ["that is no directory", { isDirectory: false }],
    ["with a name that we never gave", { name: "reports" }],
  ])("never one %s", (_, difference) => {
    expect(sweepVerdict({ ...seen, ...difference }, rule)).toBe("not_ours");
  });
});

describe("a marker", () => {
  it("says again what was written", () => {
    expect(parseMarker(NAME, formatMarker(NAME, marker))).toMatchObject(marker);
  });

  it("that was copied into another directory is none", () => {
    expect(parseMarker(NAME.replace("0", "f"), formatMarker(NAME, marker))).toBeNull();
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "bindery"],
    ["another service's", formatMarker(NAME, marker).replace("bindery", "binders")],
    ["one with more in it", formatMarker(NAME, marker).replace("{", '{"path":"/",')],
    ["one with an id that is none", formatMarker(NAME, { ...marker, jobId: "../../etc" })],
    ["a list", "[]"],
  ])("is not %s", (_, text) => {
    expect(parseMarker(NAME, text)).toBeNull();
  });
});
