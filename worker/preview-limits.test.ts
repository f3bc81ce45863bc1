import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PREVIEW_PAGES_MAX, previewPagesMax } from "./preview-limits";

describe("a preview", () => {
  it("is at its best while the record does not wait, and sheds pages the longer it does, but always shows some [C42]", () => {
    expect([0, 60_000, 60_001, 600_000, 600_001, 86_400_000].map(previewPagesMax)).toEqual([8, 8, 4, 4, 2, 2]);
  });

  it("never has more pages for a longer wait, nor more than its limit", () => {
    fc.assert(
      fc.property(fc.nat(86_400_000), fc.nat(86_400_000), (a, b) => {
        const [shorter, longer] = [Math.min(a, b), Math.max(a, b)];
        expect(previewPagesMax(longer)).toBeLessThanOrEqual(previewPagesMax(shorter));
        expect(previewPagesMax(longer)).toBeGreaterThan(0);
        expect(previewPagesMax(shorter)).toBeLessThanOrEqual(PREVIEW_PAGES_MAX);
      }),
    );
  });
});
