import { exhausted, type ReadingBudget } from "./budget";
import { inflate } from "./inflate";
import { type PdfDict, PdfName, type PdfObject, type PdfStream } from "./pdf-object";
import { undoPredictor } from "./predictor";
import { decodeAscii85, decodeAsciiHex, decodeLzw, decodeRunLength } from "./simple-filters";

export interface DecodedStream {
  readonly bytes: Uint8Array;
  /** The picture codec that still applies to `bytes`, or null. */
  readonly codec: string | null;
  /** True where the data are damaged: what could be read stops early or a checksum is wrong. */
  readonly damaged: boolean;
  /** False where something stands behind the data, or a checksum is wrong, or they are damaged. */
  readonly isTidy: boolean;
}

export interface StreamFilter {
  readonly name: string;
  readonly parms: PdfDict | null;
}

type Resolve = (value: PdfObject | undefined) => PdfObject;

/** Returns the filters of a stream in the order they are undone; abbreviations are spelled out. */
export function filtersOf(stream: PdfStream, resolve: Resolve): StreamFilter[] {
  const filter = resolve(stream.dict.get("Filter") ?? stream.dict.get("F"));
  const parms = resolve(stream.dict.get("DecodeParms") ?? stream.dict.get("DP"));
  const names = Array.isArray(filter) ? filter.map(resolve) : filter === null ? [] : [filter];
  return names.flatMap((name, index) => {
    if (!(name instanceof PdfName)) return [];
    const own = Array.isArray(parms) ? resolve(parms[index]) : index === 0 ? parms : null;
    return [{ name: SPELLED[name.text] ?? name.text, parms: own instanceof Map ? own : null }];
  });
}

/** Undoes the filters of `stream` within the budget. Picture codecs are left to a decoder that knows them. [C110] */
export function decodeStream(stream: PdfStream, resolve: Resolve, budget: ReadingBudget): DecodedStream {
  const filters = filtersOf(stream, resolve);
  if (filters.length > budget.limits.filtersMax) throw exhausted("filters");
  let bytes = stream.raw;
  let damaged = false;
  let isTidy = true;
  for (const { name, parms } of filters) {
    if (CODECS.has(name)) return { bytes, codec: name, damaged, isTidy };
    const max = budget.nextStreamBytes;
    const step = undoFilter(name, bytes, max);
    if (step === "too large") throw exhausted("stream");
    if (step === null) return { bytes, codec: name, damaged: true, isTidy: false };
    budget.countInflated(step.bytes.length);
    bytes = parms === null || !PREDICTED.has(name) ? step.bytes : undoPredictor(step.bytes, parms, resolve);
    damaged ||= step.damaged;
    isTidy &&= step.isTidy;
  }
  return { bytes, codec: null, damaged, isTidy };
}

export interface FilterStep {
  readonly bytes: Uint8Array;
  readonly damaged: boolean;
  readonly isTidy: boolean;
}

function undoFilter(name: string, bytes: Uint8Array, max: number): FilterStep | "too large" | null {
  switch (name) {
    case "FlateDecode":
      return inflate(bytes, max);
    case "LZWDecode":
      return decodeLzw(bytes, max);
    case "ASCIIHexDecode":
      return decodeAsciiHex(bytes);
    case "ASCII85Decode":
      return decodeAscii85(bytes, max);
    case "RunLengthDecode":
      return decodeRunLength(bytes, max);
    case "Crypt":
      return { bytes, damaged: false, isTidy: true };
    default:
      return null;
  }
}

/** ISO 32000-2, table 6 and, for inline pictures, table 92. */
const SPELLED: Readonly<Record<string, string>> = {
  Fl: "FlateDecode",
  LZW: "LZWDecode",
  AHx: "ASCIIHexDecode",
  A85: "ASCII85Decode",
  RL: "RunLengthDecode",
  DCT: "DCTDecode",
  CCF: "CCITTFaxDecode",
};

const CODECS = new Set(["DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"]);
const PREDICTED = new Set(["FlateDecode", "LZWDecode"]);
