import { beforeAll, describe, expect, it } from "vitest";
import { coverageFindings, isCovered } from "./coverage";
import { BOLD, families, fontFiles, loadFonts, parsedFont, REGULAR } from "./fonts";

beforeAll(loadFonts);

describe("coverage", () => {
  it.each([
    ["Latin with any diacritics", "Łukasz Nguyễn Škoda Çiğdem Țepeș Ðorđe þ ß ẞ Ọlá Hawaiʻi"],
    ["Greek, old and new", "Ελένη Παπαδοπούλου ἀρχή ΐ Ώ"],
    ["Cyrillic", "Владимир Їжак Ґанна Љубица Өмүр Қазақстан"],
    ["punctuation and money", "“quoted” ‘so’ – — … • · € £ ¥ ₺ ₴ © ® ™ № § % ‰ ½ ² ³ ° ± × ÷ −"],
    ["a letter and an accent that have no joint form", "x\u0302"],
    ["several lines", "one\ntwo"],
  ])("%s is printed", (_name, text) => {
    expect(coverageFindings(text)).toEqual([]);
  });

  it.each([
    ["Chinese", "王小明", "U+738B"],
    ["Arabic", "عمر", "U+0639"],
    ["Hebrew", "דוד", "U+05D3"],
    ["Devanagari", "नमस्ते", "U+0928"],
    ["Thai", "สมชาย", "U+0E2A"],
    ["an emoji", "Zoë 🌟", "U+1F31F"],
    ["joined emoji", "👩‍🎓", "U+1F469"],
    ["a tab", "a\tb", "U+0009"],
    ["a NUL", "a\u0000", "U+0000"],
    ["a zero-width space", "a\u200bb", "U+200B"],
    ["half a surrogate pair", "a\ud83d", "U+D83D"],
  ])("%s is refused by the character's name", (_name, text, code) => {
    const [finding] = coverageFindings({ employee: { name: text } });
    expect(finding).toMatchObject({ path: ["employee", "name"], code: "missing_glyphs" });
    expect(finding?.message).toContain(code);
  });

  it("names the place, however deep, and never the text", () => {
    const findings = coverageFindings({ rows: [{ note: "fine" }, { note: "secret 王" }], title: "ok" }, ["tables"]);
    expect(findings.map((finding) => finding.path)).toEqual([["tables", "rows", 1, "note"]]);
    expect(JSON.stringify(findings)).not.toContain("secret");
  });

  it("a decomposed letter counts as the one it is printed as", () => {
    expect(coverageFindings("Zoe\u0308")).toEqual([]);
  });
});

describe("the fonts", () => {
  it("are files of pinned packages, found from anywhere [C232]", () => {
    const files = fontFiles();
    expect(files).toHaveLength(12);
    for (const file of files) expect(file).toMatch(/@expo-google-fonts\/(inter|source-serif-4|noto-sans)\/.*\.ttf$/);
  });

  it("print in bold and italic all that counts as printable", () => {
    const points = families().flatMap((family) => parsedFont(family, REGULAR).characterSet);
    const printable = [...new Set(points)].filter((point) => point !== 0x0a && isCovered(point));
    expect(printable.length).toBeGreaterThan(2_000);
    for (const [weight, style] of [
      [BOLD, "normal"],
      [REGULAR, "italic"],
      [BOLD, "italic"],
    ] as const) {
      const faces = families().map((family) => parsedFont(family, weight, style));
      expect(printable.filter((point) => !faces.some((face) => face.hasGlyphForCodePoint(point)))).toEqual([]);
    }
  });
});
