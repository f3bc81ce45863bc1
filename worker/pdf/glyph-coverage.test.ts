import { describe, expect, it } from "vitest";
import { fontOf } from "./fonts";
import { missingCodePoints } from "./glyph-coverage";

describe("characters that cannot be printed", () => {
  const fonts = [fontOf("inter"), fontOf("notoSans")];

  it("are none in Latin, Greek and Cyrillic, composed or not", () => {
    expect(missingCodePoints(fonts, "Łukasz Nguyễn Ελένη Привет “€5” e\u0301\u00ad\u200b\n")).toEqual([]);
  });

  it("are each named once, in order", () => {
    expect(missingCodePoints(fonts, "王小王 🌟 a")).toEqual([0x738b, 0x5c0f, 0x1f31f]);
  });

  it("are missed where no font has them, and found where any font has", () => {
    const only = (char: string) => ({ hasGlyphForCodePoint: (codePoint: number) => codePoint === char.codePointAt(0) });
    expect(missingCodePoints([only("a"), only("b")], "abc")).toEqual([0x63]);
  });

  it("include a lone surrogate and a control character", () => {
    expect(missingCodePoints(fonts, "\ud800\u0007")).toEqual([0xd800, 7]);
  });
});
