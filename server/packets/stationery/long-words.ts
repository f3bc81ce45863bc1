import { parsedFont } from "./fonts";

interface TextBox {
  /** Points. */
  readonly width: number;
  readonly size: number;
  readonly families: readonly string[];
  readonly weight: number;
}

/**
 * Returns a callback for the renderer that lets a word break anywhere, without a hyphen, where it is wider than its box; every other
 * word stays whole. Addresses and ids must come out of the page as they went in, so no character is ever added. [CASE-18]
 */
export function breakLongWords(box: TextBox): (word: string | null) => string[] {
  return (word) => {
    if (word === null || word === "") return [];
    // An empty syllable is glue of no width to the line breaker: a place to break that prints nothing.
    return widthOf(word, box) > box.width ? graphemes(word).flatMap((part) => [part, ""]) : [word];
  };
}

const advances = new Map<string, number>();

/** Returns the width of `text` in points, kerning aside. */
export function widthOf(text: string, { size, families, weight }: Omit<TextBox, "width">): number {
  let width = 0;
  for (const character of text) {
    const key = `${families[0]}/${weight}/${character}`;
    let advance = advances.get(key);
    if (advance === undefined) {
      advance = advanceOf(character.codePointAt(0) ?? 0, families, weight);
      if (advances.size < 20_000) advances.set(key, advance);
    }
    width += advance;
  }
  return width * size;
}

function advanceOf(codePoint: number, families: readonly string[], weight: number): number {
  for (const family of families) {
    const font = parsedFont(family, weight);
    if (font.hasGlyphForCodePoint(codePoint)) {
      return font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm;
    }
  }
  return 1;
}

function graphemes(word: string): string[] {
  return word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [word];
}
