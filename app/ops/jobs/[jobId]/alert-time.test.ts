import { describe, expect, it } from "vitest";
import { distanceWords, instantIn, textOf } from "./alert-time";

describe("an alert's time beside a phase", () => {
  const alert = new Date("2026-12-01T09:10:00Z");

  it("says whether the phase came before or after, and by how much", () => {
    expect(distanceWords(new Date("2026-12-01T09:09:48Z"), alert)).toBe("12 s before it");
    expect(distanceWords(new Date("2026-12-01T09:14:00Z"), alert)).toBe("4 min after it");
    expect(distanceWords(new Date("2026-12-01T09:10:00.4Z"), alert)).toBe("at the same time");
    expect(distanceWords(null, alert)).toBe("not yet");
  });

  it("is read as UTC from a field, and from an address with its zone; anything else is none", () => {
    expect(instantIn("2026-12-01T09:10:00")).toEqual(alert);
    expect(instantIn("2026-12-01T10:10:00+01:00")).toEqual(alert);
    expect(instantIn(alert.toISOString())).toEqual(alert);
    for (const text of [null, "", "now", "2026-12-01", "2026-13-41T99:99"]) expect(instantIn(text)).toBeNull();
    expect(textOf(alert)).toBe("2026-12-01T09:10:00");
  });
});
