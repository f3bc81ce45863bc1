import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fontkit from "fontkit";

const require = createRequire(import.meta.url);

const FACES = {
  /** Page numbers, stamps. */
  inter: "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf",
  interSemiBold: "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf",
  /** Values of foreign forms: it has more scripts. */
  notoSans: "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
} as const;
export type Face = keyof typeof FACES;

const files = new Map<Face, Uint8Array>();
const parsed = new Map<Face, fontkit.Font>();

/** Returns the bytes of a pinned font file. */
export function fontFile(face: Face): Uint8Array {
  let bytes = files.get(face);
  if (bytes === undefined) {
    bytes = readFileSync(require.resolve(FACES[face]));
    files.set(face, bytes);
  }
  return bytes;
}

/** Returns a pinned font, parsed once. */
export function fontOf(face: Face): fontkit.Font {
  let font = parsed.get(face);
  if (font === undefined) {
    const made = fontkit.create(Buffer.from(fontFile(face)));
    if (!("hasGlyphForCodePoint" in made)) throw new Error("A pinned font is a collection.");
    font = made;
    parsed.set(face, font);
  }
  return font;
}
