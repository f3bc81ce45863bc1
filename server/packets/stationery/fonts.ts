import { createRequire } from "node:module";
import { Font } from "@react-pdf/renderer";
import type { Font as ParsedFont } from "fontkit";
import { mend } from "./glyph-runs";

/** Fallback lists: the first family that has a character prints it. Each list ends in every family, so coverage is the same for all. */
export const SANS: readonly string[] = ["Inter", "Noto Sans", "Source Serif 4"];
export const SERIF: readonly string[] = ["Source Serif 4", "Noto Sans", "Inter"];

export const REGULAR = 400;
export const BOLD = 600;

interface Face {
  readonly family: string;
  readonly style: "normal" | "italic";
  readonly weight: number;
  /** Module path of a TTF file in a package of pinned version. [C232] */
  readonly file: string;
}

const FACES: readonly Face[] = [
  ["Inter", "inter", "Inter"] as const,
  ["Source Serif 4", "source-serif-4", "SourceSerif4"] as const,
  ["Noto Sans", "noto-sans", "NotoSans"] as const,
].flatMap(([family, folder, name]) =>
  (["400Regular", "400Regular_Italic", "600SemiBold", "600SemiBold_Italic"] as const).map((cut) => ({
    family,
    style: cut.endsWith("Italic") ? ("italic" as const) : ("normal" as const),
    weight: cut.startsWith("400") ? REGULAR : BOLD,
    file: `@expo-google-fonts/${folder}/${cut}/${name}_${cut}.ttf`,
  })),
);

/** Returns the path of every font file that can end up in a document: part of the renderer build. [C232] */
export function fontFiles(): string[] {
  const resolve = createRequire(import.meta.url).resolve;
  return FACES.map((face) => resolve(face.file));
}

let loaded: Promise<void> | null = null;

/** Registers and parses every face, once per process. Nothing may be drawn or measured before this has resolved. */
export function loadFonts(): Promise<void> {
  loaded ??= parseAll();
  return loaded;
}

async function parseAll(): Promise<void> {
  const resolve = createRequire(import.meta.url).resolve;
  for (const { family, style, weight, file } of FACES) {
    Font.register({ family, src: resolve(file), fontStyle: style, fontWeight: weight });
  }
  // Lines are broken before the renderer sees them (see `line-breaks.ts`): it must not hyphenate on its own.
  Font.registerHyphenationCallback((word) => [word]);
  for (const { family, style, weight } of FACES) {
    await Font.load({ fontFamily: family, fontStyle: style, fontWeight: weight });
    mend(parsedFont(family, weight, style));
  }
}

/** Returns the parsed face. Throws where `loadFonts` was not awaited, which is a bug. */
export function parsedFont(family: string, weight: number, style: "normal" | "italic" = "normal"): ParsedFont {
  const data: unknown = Font.getFont({ fontFamily: family, fontWeight: weight, fontStyle: style })?.data;
  if (!isParsed(data)) throw new Error("Fonts are not loaded.");
  return data;
}

/** Returns the families of the registered faces. */
export function families(): readonly string[] {
  return SANS;
}

function isParsed(data: unknown): data is ParsedFont {
  return typeof data === "object" && data !== null && "glyphForCodePoint" in data;
}
