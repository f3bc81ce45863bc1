import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

export type TableEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
export type NotText = "spreadsheet_file" | "not_text" | "encoding";

/**
 * Returns how the letters of the file are stored, or why that cannot be told. A file that is valid UTF-8 is UTF-8. What is left may be
 * Windows-1252, but also any of its siblings, and a wrong guess would put wrong names into the record: so it is taken only where every
 * word with an accent is a possible word of a language written in it.
 */
export async function tableEncodingOf(path: string): Promise<TableEncoding | NotText> {
  const start = await readStart(path);
  if (isSpreadsheet(start)) return "spreadsheet_file";
  const wide = utf16Of(start);
  if (wide !== null) return (await isReadable(path, wide)) ? wide : "encoding";
  if (start.includes(0)) return "not_text";
  if (await isReadable(path, "utf-8")) return "utf-8";
  return (await isWestern(path)) ? "windows-1252" : "encoding";
}

/** The file's text, piece by piece, without its byte-order mark. Throws a TypeError where the bytes are not of this encoding. */
export async function* decodedText(path: string, encoding: TableEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for await (const bytes of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

const START_BYTES = 4096;

async function readStart(path: string): Promise<Uint8Array> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** A ZIP container (xlsx, ods), the older compound file (xls), or a PDF. */
function isSpreadsheet(start: Uint8Array): boolean {
  const hex = Buffer.from(start.subarray(0, 4)).toString("hex");
  return ["504b0304", "504b0506", "d0cf11e0", "25504446"].includes(hex);
}

/** By its byte-order mark; without one by the zero bytes that half of all plain letters have. */
function utf16Of(start: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > start.length / 5 && even === 0) return "utf-16le";
  return even > start.length / 5 && odd === 0 ? "utf-16be" : null;
}

async function isReadable(path: string, encoding: TableEncoding): Promise<boolean> {
  try {
    for await (const _ of decodedText(path, encoding));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Letters beyond ASCII of the languages that Windows-1252 was made for, apart from each other: no word mixes two of these lines. */
const REPERTOIRES = [
  "äöüßé", // German, Swedish, Finnish, Dutch loans
  "àâæçéèêëîïôœùûüÿ", // French
  "áéíñóúü", // Spanish
  "àáâãçéêíóôõú", // Portuguese
  "àèéìòù", // Italian
  "áéíïóúëüèö", // Dutch, Catalan loans
  "æøåéäöü", // Danish, Norwegian
  "åäöéü", // Swedish, Finnish
  "áéíóúýþæöð", // Icelandic
  "àçéèíïóòúü", // Catalan
].map((letters) => new RegExp(`^[a-z'${letters}]+$`));

/** What may stand between words. Other signs of Windows-1252 are letters in its siblings, so they are not taken for signs. */
const SIGNS = /^[\s\p{ASCII}€‚„…‘’“”•–—™§©«»®°´·¿¡º½¼¾£]$/u;
/** In Portuguese a tilde stands over these only in certain places; in Hungarian text read wrongly it stands anywhere. */
const LOOSE_TILDE = /õ(?!e)|^ã/;
/** Two bytes of UTF-8 read as two letters: a file that is UTF-8 but for a damaged place. */
const BROKEN_UTF8 = /^[ÂÃÄÅ][^\p{ASCII}\p{L}]$/u;

async function isWestern(path: string): Promise<boolean> {
  let word = "";
  let previous = "";
  for await (const text of decodedText(path, "windows-1252")) {
    for (const character of text) {
      if (BROKEN_UTF8.test(previous + character)) return false;
      previous = character;
      if (/[\p{L}'£¿º]/u.test(character)) word += character;
      else if (!SIGNS.test(character) || !isWesternWord(word)) return false;
      else word = "";
    }
  }
  return isWesternWord(word);
}

function isWesternWord(word: string): boolean {
  // A sign at the edge of a word is a sign; inside one it is a letter of another encoding.
  const letters = word.replace(/^[£¿']+|[º']+$/g, "").toLowerCase();
  if (/^[\p{ASCII}]*$/u.test(letters)) return true;
  return !LOOSE_TILDE.test(letters) && REPERTOIRES.some((repertoire) => repertoire.test(letters));
}
