import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseLane, LANE, LANES, lanesWith } from "./lane";

const size = fc.record({ pages: fc.nat(10_000), bytes: fc.nat(500_000_000), rows: fc.nat(200_000) });

describe("lanes", () => {
  it("give the renderer a deadline shorter than the lease [C171]", () => {
    for (const lane of LANES) expect(LANE[lane].renderMsMax).toBeLessThan(LANE[lane].leaseMs);
  });

  it.each(LANES)(
    "%s: refuses a lease that its renderer's deadline would outlast, and names the setting [C171]",
    (lane) => {
      const { renderMsMax } = LANE[lane];
      const lease = (value: number) => [{ lane, setting: "leaseMs", value }];
      expect(() => lanesWith(lease(renderMsMax))).toThrow(RangeError);
      expect(() => lanesWith(lease(renderMsMax))).toThrow(/BINDERY_LANES.*\b(interactive|archive|oversize)\b.*lease/);
      expect(lanesWith(lease(renderMsMax + 1))[lane].leaseMs).toBe(renderMsMax + 1);
    },
  );

  it("give an attempt a budget of its own, which is never less than one rendering may take [C270]", () => {
    for (const lane of LANES) {
      const { renderMsMax, durationMsMax } = LANE[lane];
      expect(durationMsMax).toBeGreaterThan(renderMsMax);
      const budget = (value: number) => [{ lane, setting: "durationMsMax", value }];
      expect(() => lanesWith(budget(renderMsMax - 1))).toThrow(RangeError);
      expect(lanesWith(budget(renderMsMax))[lane].durationMsMax).toBe(renderMsMax);
    }
  });

  it("refuse what they do not have", () => {
    expect(() => lanesWith([{ lane: "fast", setting: "leaseMs", value: 1 }])).toThrow("fast.leaseMs");
    expect(() => lanesWith([{ lane: "archive", setting: "fidelity", value: 1 }])).toThrow("archive.fidelity");
  });

  it("keep lease and renderer's time as two settings, changed apart; how long a caller waits is neither [C170]", () => {
    const lease = { lane: "archive", setting: "leaseMs", value: 200_000 };
    const render = { lane: "archive", setting: "renderMsMax", value: 30_000 };
    expect(lanesWith([lease]).archive).toEqual({ ...LANE.archive, leaseMs: 200_000 });
    expect(lanesWith([render]).archive).toEqual({ ...LANE.archive, renderMsMax: 30_000 });
    expect(Object.keys(LANE.archive).sort()).toEqual([
      ...["ageMsMax", "concurrency", "durationMsMax", "leaseMs", "renderMsMax"],
    ]);
  });

  it("keep at least one slot of their own for previews, and fewer for oversize work than for the archive [C45,C48,C49]", () => {
    expect(LANE.interactive.concurrency).toBeGreaterThanOrEqual(1);
    expect(LANE.oversize.concurrency).toBeLessThan(LANE.archive.concurrency);
  });

  it("have a short age limit for previews and a long one for the archive, which can wait [C41,C46]", () => {
    expect(LANE.interactive.ageMsMax).toBeLessThanOrEqual(60_000);
    expect(LANE.archive.ageMsMax).toBeGreaterThan(LANE.interactive.ageMsMax);
  });

  it("are chosen by fidelity and size alone: a preview is never archive work, and no archive copy becomes a preview [C40,C47,C235,C236]", () => {
    fc.assert(
      fc.property(size, (declared) => {
        expect(chooseLane("preview", declared)).toBe("interactive");
        expect(chooseLane("archival", declared)).not.toBe("interactive");
      }),
    );
  });

  it("send work to the slow lane by pages, bytes or rows, not by number of jobs [C64,C65]", () => {
    expect(chooseLane("archival", { pages: 1, bytes: 1_000, rows: 0 })).toBe("archive");
    expect(chooseLane("archival", { pages: 301, bytes: 1_000, rows: 0 })).toBe("oversize");
    expect(chooseLane("archival", { pages: 1, bytes: 61 * 1024 * 1024, rows: 0 })).toBe("oversize");
    expect(chooseLane("archival", { pages: 1, bytes: 0, rows: 20_000 })).toBe("oversize");
  });
});
