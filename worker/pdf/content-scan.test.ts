import { describe, expect, it } from "vitest";
import { scanContent } from "./content-scan";

const scan = (content: string) => scanContent(Buffer.from(content, "latin1"));

describe("what a content stream leaves behind", () => {
  it.each([
    ["nothing", "q 1 0 0 1 0 0 cm Q BT (x) Tj ET", { open: 0, marked: 0, inText: false }],
    ["two saved states", "q q Q q", { open: 2 }],
    ["text and a mark", "/P BMC /Q <</MCID 0>> BDC BT", { marked: 2, inText: true }],
    [
      "letters in names and strings are no operators",
      "/q /Q (q Q \\) q (nested q)) <71> Tj [(q) 1 (Q)] TJ % q Q\n",
      { open: 0, excess: [] },
    ],
    ["longer words are other operators", "1 0 0 rg qq Qq BTx", { open: 0, excess: [], inText: false }],
  ])("%s", (_, content, expected) => {
    expect(scan(content)).toMatchObject(expected);
  });

  it("finds every Q that restores nothing", () => {
    expect(scan("Q q Q Q").excess).toEqual([
      [0, 1],
      [6, 7],
    ]);
  });

  it("passes over the data of an inline picture, whatever letters they hold", () => {
    const balance = scan("q BI /W 2 /H 2 /BPC 8 /CS /G ID q Q EI\x80 Q q EI Q q");
    expect(balance).toMatchObject({ open: 1, excess: [] });
  });

  it.each(["BT (never closed", "(a \\", "<48656c", "BI /W 1 ID \x01\x02"])(
    "ends in front of what does not end: %s",
    (tail) => {
      const before = "q Q ";
      expect(scan(before + tail).end).toBeLessThanOrEqual(before.length + tail.length);
      expect(scan(before + tail).end).toBeGreaterThanOrEqual(before.length);
      expect(scan(before + tail).end).toBeLessThan((before + tail).length);
    },
  );
});
