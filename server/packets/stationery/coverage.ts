import type { Finding } from "@/server/domain/failure";
import { BOLD, families, parsedFont, REGULAR } from "./fonts";

/** Scripts that we can set properly: left to right, without shaping. Others are refused by name until they print as they should. */
const SETTABLE = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;
/** A template may set any text in any of these. */
const CUTS = [
  [REGULAR, "normal"],
  [REGULAR, "italic"],
  [BOLD, "normal"],
  [BOLD, "italic"],
] as const;
const FINDINGS_MAX = 200;

const known = new Map<number, boolean>();

/** True where the character can be printed by a registered font. Line breaks count, other control characters do not. */
export function isCovered(codePoint: number): boolean {
  if (codePoint === 0x0a) return true;
  if (codePoint < 0x20) return false;
  let covered = known.get(codePoint);
  if (covered === undefined) {
    const text = String.fromCodePoint(codePoint);
    covered =
      SETTABLE.test(text) &&
      !/[\p{Cc}\p{Cf}\p{Cs}\p{Emoji_Presentation}]/u.test(text) &&
      CUTS.every(([weight, style]) =>
        families().some((family) => parsedFont(family, weight, style).hasGlyphForCodePoint(codePoint)),
      );
    known.set(codePoint, covered);
  }
  return covered;
}

/**
 * Returns a finding for every text in `value` that holds a character no font has, naming the field and the character. The renderer
 * itself would silently print an empty box or fall back to a font that is not embedded. [CASE-20]
 */
export function coverageFindings(value: unknown, path: Finding["path"] = []): Finding[] {
  const findings: Finding[] = [];
  walk(value, path, findings);
  return findings;
}

function walk(value: unknown, path: Finding["path"], findings: Finding[]): void {
  if (findings.length >= FINDINGS_MAX) return;
  if (typeof value === "string") {
    const missing = firstMissing(value.normalize("NFC"));
    if (missing !== null) findings.push({ path, code: "missing_glyphs", message: messageFor(missing) });
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, [...path, index], findings);
    return;
  }
  if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) walk(item, [...path, key], findings);
  }
}

function firstMissing(text: string): number | null {
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!isCovered(codePoint)) return codePoint;
  }
  return null;
}

function messageFor(codePoint: number): string {
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return `This holds a character that cannot be printed (${name}). Write it in Latin, Greek or Cyrillic letters.`;
}
