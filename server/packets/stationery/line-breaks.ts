import { parsedFont } from "./fonts";

/** How a text will be set: everything its width depends on. */
export interface Setting {
  /** Points from edge to edge. */
  readonly width: number;
  readonly size: number;
  readonly families: readonly string[];
  readonly weight: number;
  readonly style?: "normal" | "italic";
  /** Figures of equal width. */
  readonly tabular?: boolean;
  /** Points added to each character. */
  readonly spacing?: number;
}

/**
 * Returns the text with a line break wherever it must wrap: at a space, or inside a word that is wider than the whole line, without
 * a hyphen, since addresses and ids must come out of the page as they went in. The renderer's own line breaker squeezes spaces to
 * fit one more word and lets long words run over the next column; this one does neither, and costs a tenth. [CASE-18]
 */
export function breakLines(text: string, setting: Setting): string {
  return text
    .split("\n")
    .map((paragraph) =>
      widthOf(paragraph, setting) <= setting.width ? paragraph : fill(paragraph, setting).join("\n"),
    )
    .join("\n");
}

/** Returns the same lines as few as before but of even length: for titles, where one word alone on the last line looks lost. */
export function balanceLines(text: string, setting: Setting): string {
  const lines = breakLines(text, setting).split("\n").length;
  let [narrow, wide] = [0, setting.width];
  while (wide - narrow > 1) {
    const width = (narrow + wide) / 2;
    const fits =
      breakLines(text, { ...setting, width }).split("\n").length <= lines && longestWord(text, setting) <= width;
    if (fits) wide = width;
    else narrow = width;
  }
  return breakLines(text, { ...setting, width: wide });
}

function longestWord(text: string, setting: Setting): number {
  return Math.min(setting.width, Math.max(...text.split(/\s/).map((word) => widthOf(word, setting))));
}

/** Returns the width of `text` in points, kerning aside, which only ever makes it narrower by a hair. */
export function widthOf(
  text: string,
  { size, families, weight, style, tabular, spacing = 0 }: Omit<Setting, "width">,
): number {
  const table = advancesOf(`${families[0]}/${weight}/${style ?? "normal"}/${tabular === true}`);
  let width = 0;
  let characters = 0;
  for (const character of text) {
    let advance = table.get(character);
    if (advance === undefined) {
      advance = advanceOf(character, { families, weight, style: style ?? "normal", tabular: tabular === true });
      table.set(character, advance);
    }
    width += advance;
    characters += 1;
  }
  return width * size + characters * spacing;
}

function fill(paragraph: string, setting: Setting): string[] {
  const space = widthOf(" ", setting);
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of paragraph.split(" ")) {
    const width = widthOf(word, setting);
    if (line !== "" && used + space + width <= setting.width) {
      line += ` ${word}`;
      used += space + width;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = width <= setting.width ? [word] : cut(word, setting);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
    used = widthOf(line, setting);
  }
  lines.push(line);
  return lines;
}

/** Returns a word in pieces that fit: cut after a joint (a slash, a dot, an @) where one is near, else between any two letters. */
function cut(word: string, setting: Setting): string[] {
  const pieces: string[] = [];
  let rest = graphemesOf(word);
  while (rest.length > 0) {
    let fits = 1;
    while (fits < rest.length && widthOf(rest.slice(0, fits + 1).join(""), setting) <= setting.width) fits += 1;
    if (fits < rest.length) fits = jointBefore(rest, fits) ?? fits;
    pieces.push(rest.slice(0, fits).join(""));
    rest = rest.slice(fits);
  }
  return pieces;
}

function jointBefore(graphemes: readonly string[], end: number): number | null {
  for (let index = end; index > end / 2; index -= 1) {
    if (/^[-–—/@._?&=,;:+]$/.test(graphemes[index - 1] ?? "")) return index;
  }
  return null;
}

/** An accent never parts from its letter. */
function graphemesOf(word: string): string[] {
  return word.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [word];
}

const tables = new Map<string, Map<string, number>>();

/** One table a face: characters, not content, so it holds at most as many entries as the fonts have characters. */
function advancesOf(key: string): Map<string, number> {
  let table = tables.get(key);
  if (table === undefined) {
    table = new Map();
    tables.set(key, table);
  }
  return table;
}

interface FaceOf {
  readonly families: readonly string[];
  readonly weight: number;
  readonly style: "normal" | "italic";
  readonly tabular: boolean;
}

function advanceOf(character: string, { families, weight, style, tabular }: FaceOf): number {
  const codePoint = character.codePointAt(0) ?? 0;
  for (const family of families) {
    const font = parsedFont(family, weight, style);
    if (!font.hasGlyphForCodePoint(codePoint)) continue;
    return font.layout(character, tabular ? ["tnum"] : []).advanceWidth / font.unitsPerEm;
  }
  return 1;
}
