import type { Font, Glyph, GlyphRun } from "fontkit";

/** Three mends of the font parser, laid over each face once when it is loaded. */
export function mend(font: Font): void {
  keepCharacters(font);
  breakInOwnFont(font);
  rememberShapes(font);
}

/**
 * Makes a glyph know the characters it was asked for, always. The parser keeps the first glyph object it made for a number, and the
 * subset writer asks for the parts of accented letters without characters: after "ö", an "o" would know none, and vanish from later
 * documents of this process. What was rendered before must never show in what is rendered now. [C238]
 */
function keepCharacters(font: Font): void {
  const original = font.getGlyph.bind(font);
  const glyphs = new Map<string, Glyph>();
  font.getGlyph = (id: number, characters: number[] = []): Glyph => {
    const key = `${id}:${characters.join(",")}`;
    const known = glyphs.get(key);
    if (known !== undefined) return known;
    const glyph: Glyph = Reflect.construct(original(id, characters).constructor, [id, characters, font]);
    glyphs.set(key, glyph);
    return glyph;
  };
}

const LINE_FEED = 10;
const SPACE = 32;

/**
 * Makes a line break stay in the face of its text, as a blank. No face has a glyph for it, and the renderer would take one of the
 * standard fonts for it, which is not embedded: a record copy may not have that (ISO 19005-2, 6.2.11.4.1).
 */
function breakInOwnFont(font: Font): void {
  const has = font.hasGlyphForCodePoint.bind(font);
  const glyphFor = font.glyphForCodePoint.bind(font);
  font.hasGlyphForCodePoint = (point) => point === LINE_FEED || has(point);
  font.glyphForCodePoint = (point) => glyphFor(point === LINE_FEED ? SPACE : point);
}

const SHAPES_MAX = 4_000;
const shapes = new Map<string, GlyphRun>();

/** Forgets every text that was set: called after each part, since one process serves many tenants. */
export function forgetTexts(): void {
  shapes.clear();
}

/**
 * Shapes a text once while a part is made. In a long table most cells repeat (customers, places, states, days), and shaping is a third
 * of the cost of a row. The renderer gets copies, so that nothing it does to a run shows in the next.
 */
function rememberShapes(font: Font): void {
  const original = font.layout.bind(font);
  font.layout = (text, features, script, language, direction): GlyphRun => {
    const key = `${font.postscriptName}\n${JSON.stringify(features ?? null)}\n${direction ?? ""}\n${text}`;
    const run = shapes.get(key) ?? original(text, features, script, language, direction);
    remember(key, run);
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, {
      glyphs: [...run.glyphs],
      positions: run.positions.map((position) => ({ ...position })),
    });
  };
}

/** Keeps what was used last: a column of numbers passes through, the names that repeat stay. */
function remember(key: string, run: GlyphRun): void {
  shapes.delete(key);
  shapes.set(key, run);
  const [oldest] = shapes.size > SHAPES_MAX ? shapes.keys() : [];
  if (oldest !== undefined) shapes.delete(oldest);
}
