import { deflateSync } from "node:zlib";
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
} from "pdf-lib";
import { PacketFailure } from "@/server/domain/failure";
import { isActive, keepsKey, NAME_MAPS } from "./copy-policy";
import { filtersOf } from "./reader/filters";
import { withJpegEnd } from "./reader/jpeg-end";
import type { PdfFile } from "./reader/pdf-file";
import { type PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, PdfString } from "./reader/pdf-object";

/**
 * Copies values of one file into a new document. Every object is copied once, whatever refers to it, so that shared fonts
 * and pictures stay shared; references are followed in a queue, never by recursion. What the copy policy refuses stays behind.
 */
export class ObjectCopier {
  private readonly copies = new Map<number, PDFRef>();
  private readonly queue: { ref: PdfRef; copy: PDFRef; isMap: boolean }[] = [];
  private readonly nothing = new Set<number>();

  constructor(
    private readonly source: PdfFile,
    private readonly target: PDFContext,
  ) {}

  /** Makes every later reference to `ref` lead to `copy`, or to nothing: pages are placed by their caller. */
  place(ref: PdfRef, copy: PDFRef | null): void {
    if (copy === null) this.nothing.add(ref.number);
    else this.copies.set(ref.number, copy);
  }

  /** Copies a value and everything it needs. */
  copy(value: PdfObject | undefined, key = ""): PDFObject {
    const copied = this.value(value ?? null, NAME_MAPS.has(key));
    this.drain();
    return copied;
  }

  private drain(): void {
    for (let next = this.queue.pop(); next !== undefined; next = this.queue.pop()) {
      this.target.assign(next.copy, this.value(this.source.read(next.ref), next.isMap));
    }
  }

  /** Direct values nest no deeper than the reader allowed. */
  private value(value: PdfObject, isMap: boolean): PDFObject {
    if (value === null) return PDFNull;
    if (typeof value === "boolean") return value ? PDFBool.True : PDFBool.False;
    if (typeof value === "number") return PDFNumber.of(value);
    if (value instanceof PdfName) return nameFrom(value.text);
    if (value instanceof PdfString) return stringFrom(value.bytes);
    if (value instanceof PdfRef) return this.reference(value, isMap);
    if (value instanceof PdfStream) return this.stream(value);
    if (value instanceof Map) return this.dict(value, isMap);
    const array = PDFArray.withContext(this.target);
    for (const item of value) array.push(this.value(item, isMap));
    return array;
  }

  private reference(ref: PdfRef, isMap: boolean): PDFObject {
    const known = this.copies.get(ref.number);
    if (known !== undefined) return known;
    if (this.nothing.has(ref.number) || this.source.read(ref) === null) return PDFNull;
    const copy = this.target.nextRef();
    this.copies.set(ref.number, copy);
    this.queue.push({ ref, copy, isMap });
    return copy;
  }

  private dict(dict: PdfDict, isMap: boolean): PDFDict {
    const copy = PDFDict.withContext(this.target);
    // What acts is left out wherever it hides, even where no viewer would look for it.
    if (!isMap && isActive(this.source, dict)) return copy;
    for (const [key, value] of dict) {
      if (!isMap && !keepsKey(key)) continue;
      const copied = this.value(value, !isMap && NAME_MAPS.has(key));
      if (copied !== PDFNull) copy.set(nameFrom(key), copied);
    }
    return copy;
  }

  private stream(stream: PdfStream): PDFRawStream {
    const tidy = this.source.untidy.has(stream) ? this.written(stream) : stream;
    const copy = this.dict(withoutCrypt(tidy.dict), false);
    copy.delete(PDFName.of("Length"));
    return PDFRawStream.of(copy, tidy.raw);
  }

  /** The same data in a form that every reader takes: deflated anew, or with the end that a picture lacks. */
  private written(stream: PdfStream): PdfStream {
    const { bytes, codec } = this.source.decode(stream);
    if (codec !== null && codec !== "DCTDecode")
      throw new PacketFailure("source_malformed", { detail: "unknown filter" });
    const dict = new Map(stream.dict);
    const last = filtersOf(stream, this.source.resolve).at(-1);
    dict.set("Filter", new PdfName(codec ?? "FlateDecode"));
    dict.set("DecodeParms", codec === null ? null : (last?.parms ?? null));
    return new PdfStream(dict, codec === null ? deflateSync(bytes) : withJpegEnd(bytes));
  }
}

/** Our reader has undone `Crypt` already: it is always the first filter (ISO 32000-2, 7.4.10). */
function withoutCrypt(dict: PdfDict): PdfDict {
  const filter = dict.get("Filter");
  const first = Array.isArray(filter) ? filter[0] : filter;
  if (!(first instanceof PdfName) || first.text !== "Crypt") return dict;
  const copy = new Map(dict);
  const parms = dict.get("DecodeParms");
  copy.set("Filter", Array.isArray(filter) ? filter.slice(1) : null);
  copy.set("DecodeParms", Array.isArray(parms) ? parms.slice(1) : null);
  return copy;
}

/** A name of these very characters: PDFName would take `#` for the beginning of an escape. */
export function nameFrom(text: string): PDFName {
  return PDFName.of(text.replaceAll("#", "#23"));
}

export function stringFrom(bytes: Uint8Array): PDFHexString {
  return PDFHexString.of(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex"));
}
