/** What coverage asks of a font. */
export interface GlyphSource {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/**
 * Returns the code points of `text` that none of `fonts` can print, each once, in order. A missing glyph is silent in every
 * library here, so this is asked before any text is drawn. Line ends and characters that never print are not missed.
 */
export function missingCodePoints(fonts: readonly GlyphSource[], text: string): number[] {
  const missing = new Set<number>();
  for (const char of text) {
    const codePoint = char.codePointAt(0) ?? 0;
    if (isInvisible(codePoint)) continue;
    if (!fonts.some((font) => font.hasGlyphForCodePoint(codePoint))) missing.add(codePoint);
  }
  return [...missing];
}

/** Line ends, joiners, direction marks, variation selectors, soft hyphen, byte-order mark. */
function isInvisible(codePoint: number): boolean {
  return (
    codePoint === 0x0a ||
    codePoint === 0x0d ||
    codePoint === 0xad ||
    (codePoint >= 0x200b && codePoint <= 0x200f) ||
    (codePoint >= 0x202a && codePoint <= 0x202e) ||
    (codePoint >= 0x2060 && codePoint <= 0x2069) ||
    (codePoint >= 0xfe00 && codePoint <= 0xfe0f) ||
    codePoint === 0xfeff
  );
}
