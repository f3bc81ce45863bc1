import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Contender, fairest } from "./fair-share";

const tenant = (tenantId: string, changes: Partial<Contender> = {}): Contender => ({
  tenantId,
  jobId: `job_${tenantId}`,
  dueAt: new Date("2026-12-01T09:00:00Z"),
  runningWeight: 0,
  recentWeight: 0,
  running: 0,
  runningMax: null,
  ...changes,
});

describe("the next job of a lane", () => {
  it("is a newcomer's, whatever another tenant has under way and however long its jobs have waited [C70]", () => {
    const flood = tenant("a", {
      runningWeight: 2,
      recentWeight: 40,
      running: 2,
      dueAt: new Date("2026-12-01T06:00:00Z"),
    });
    expect(fairest([flood, tenant("b")])?.tenantId).toBe("b");
  });

  it("goes to whoever had less of the lane lately, where nobody has work under way", () => {
    expect(fairest([tenant("a", { recentWeight: 30 }), tenant("b", { recentWeight: 29 })])?.tenantId).toBe("b");
  });

  it("goes to a tenant alone, as often as there is a slot", () => {
    expect(fairest([tenant("a", { runningWeight: 900, running: 9 })])?.tenantId).toBe("a");
  });

  it("passes over a tenant at its own limit, and is nobody's where all are [C68]", () => {
    const capped = tenant("a", { running: 1, runningMax: 1, runningWeight: 1 });
    expect(fairest([capped, tenant("b", { runningWeight: 50, running: 5 })])?.tenantId).toBe("b");
    expect(fairest([capped])).toBeNull();
    expect(fairest([])).toBeNull();
  });

  it("over many turns gives each tenant that always has work its share by weight, however large its jobs are", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 6 }), (weights) => {
        const served = weights.map(() => 0);
        for (let turn = 0; turn < 600; turn += 1) {
          const next = fairest(weights.map((_, index) => tenant(String(index), { recentWeight: served[index] ?? 0 })));
          const index = Number(next?.tenantId);
          served[index] = (served[index] ?? 0) + (weights[index] ?? 0);
        }
        // Nobody is ahead of anybody by more than one job.
        expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(Math.max(...weights));
      }),
    );
  });
});
