import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { BOLD, loadFonts, REGULAR, SANS, SERIF } from "./fonts";
import { balanceLines, breakLines, type Setting, widthOf } from "./line-breaks";
import { oneLine } from "./one-line";

const cell: Setting = { width: 90, size: 8.5, families: SANS, weight: REGULAR };
const linesOf = (text: string, setting = cell) => breakLines(text, setting).split("\n");

beforeAll(loadFonts);

describe("lines", () => {
  it("hold the same characters in the same order, and each fits", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcdeiIWMłéΩЖ0123456789.@/-_"), minLength: 1, maxLength: 60 });
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, fc.integer({ min: 30, max: 300 }), fc.boolean(), (made, width, tabular) => {
        const setting = { ...cell, width, tabular };
        const lines = linesOf(made, setting);
        expect(lines.join("").replaceAll(" ", "")).toBe(made.replaceAll(" ", ""));
        for (const line of lines) expect(widthOf(line, setting)).toBeLessThanOrEqual(width + 0.001);
      }),
    );
  });

  it("break a word only where it is wider than the whole line", () => {
    for (const line of linesOf("Zusammenarbeit und Verantwortung im Einkauf")) {
      expect("Zusammenarbeit und Verantwortung im Einkauf".split(" ")).toEqual(expect.arrayContaining(line.split(" ")));
    }
  });

  it.each([
    ["eighty letters", "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessen"],
    ["sixty digits", "123456789012345678901234567890123456789012345678901234567890"],
    ["an address of 200 characters", `https://example.org/${"documents/".repeat(18)}`],
    ["an e-mail address", "wilhelmina.brzeczyszczykiewicz-olafsdottir@correspondence.example.org"],
  ])("%s wraps in its cell and nothing is added to it", (_name, text) => {
    const lines = linesOf(text);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join("")).toBe(text);
  });

  it("never part a letter from its accent", () => {
    for (const line of linesOf("x\u0302".repeat(40))) expect(line).toMatch(/^(x\u0302)+$/);
  });

  it("keep line breaks that were written, and what a no-break space ties", () => {
    expect(breakLines("one\ntwo", cell)).toBe("one\ntwo");
    expect(linesOf("some words before 12\u00a0kilograms", { ...cell, width: 95 }).join("|")).toContain(
      "12\u00a0kilograms",
    );
  });

  it("of a title are as few as before and of even length", () => {
    const title: Setting = { width: 420, size: 32, families: SANS, weight: BOLD };
    expect(balanceLines("Board of trustees, winter meeting", title)).toBe("Board of trustees,\nwinter meeting");
    expect(balanceLines("Short", title)).toBe("Short");
  });

  it("of a footer stay one, and its end is never lost", () => {
    const footer: Setting = { width: 300, size: 8, families: SERIF, weight: REGULAR };
    const line = oneLine("A very long name of a school ".repeat(9), footer, "  ·  November 2026  ·  Revision 3");
    expect(line.endsWith("…  ·  November 2026  ·  Revision 3")).toBe(true);
    expect(widthOf(line, footer)).toBeLessThanOrEqual(300);
    expect(oneLine("Short", footer, " x")).toBe("Short x");
  });
});
