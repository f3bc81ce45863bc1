import type { ReadingBudget } from "./budget";
import type { CrossReference } from "./cross-reference";
import { type Decryption, openEncryption } from "./decryption";
import { type DecodedStream, decodeStream } from "./filters";
import { readIndirect } from "./indirect-object";
import { isWholeJpeg } from "./jpeg-end";
import { readObjectStream } from "./object-stream";
import { type PdfDict, type PdfObject, PdfRef, PdfStream } from "./pdf-object";
import { isPossibleRef } from "./places";
import { SyntaxFault } from "./syntax-fault";

/** A PDF as a graph of objects, read on demand within a budget. */
export class PdfFile {
  private readonly cache = new Map<number, PdfObject>();
  private readonly streams = new Map<number, Map<number, PdfObject>>();
  private readonly reading = new Set<number>();
  private decryption: Decryption | null = null;
  /** True where an object is not where the cross-reference says. */
  lostObjects = false;

  constructor(
    readonly bytes: Uint8Array,
    readonly crossReference: CrossReference,
    readonly budget: ReadingBudget,
    /** True where the cross-reference was rebuilt, or anything was read otherwise than it is written. */
    public repaired: boolean,
  ) {}

  get trailer(): PdfDict {
    return this.crossReference.trailer;
  }

  get isEncrypted(): boolean {
    return this.decryption !== null;
  }

  /** Prepares decryption with the empty user password. Throws `source_encrypted` where that does not open the file. */
  unlock(): void {
    this.decryption = openEncryption(this);
    this.cache.clear();
    this.streams.clear();
  }

  /** Follows references to a value; null where there is none. */
  resolve = (value: PdfObject | undefined): PdfObject => {
    let current = value ?? null;
    for (let hops = 0; current instanceof PdfRef; hops += 1) {
      if (hops > 32) return null;
      current = this.read(current);
    }
    return current;
  };

  /** Value of `key`, references followed. */
  get(dict: PdfDict | null, key: string): PdfObject {
    return dict === null ? null : this.resolve(dict.get(key));
  }

  /** The object that `ref` names, or null where the file has none. */
  read(ref: PdfRef): PdfObject {
    const known = this.cache.get(ref.number);
    if (known !== undefined) return known;
    // An object that needs itself to be read, such as an indirect `Length` inside its own stream.
    if (this.reading.has(ref.number)) return null;
    this.reading.add(ref.number);
    try {
      const value = this.load(ref);
      this.cache.set(ref.number, value);
      return value;
    } finally {
      this.reading.delete(ref.number);
    }
  }

  /** Streams that a copy must write anew, since their data do not end as they should. */
  readonly untidy = new Set<PdfStream>();

  /** Undoes the filters of a stream, up to a picture codec. */
  decode(stream: PdfStream): DecodedStream {
    const decoded = decodeStream(stream, this.resolve, this.budget);
    if (!decoded.isTidy || (decoded.codec === "DCTDecode" && !isWholeJpeg(decoded.bytes))) this.untidy.add(stream);
    return decoded;
  }

  private load(ref: PdfRef): PdfObject {
    const place = this.crossReference.places.get(ref.number);
    if (place === undefined || place.kind === "free" || !isPossibleRef(ref)) return null;
    if (place.kind === "packed") return this.objectStream(place.stream).get(ref.number) ?? null;
    try {
      const found = readIndirect(this.bytes, place.offset, this.budget, (length) => {
        const value = this.resolve(length);
        return typeof value === "number" ? value : null;
      });
      if (found.number !== ref.number) return this.lost();
      if (!found.exact) this.repaired = true;
      return this.decryption?.decrypt(found.value, found.number, found.generation) ?? found.value;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      return this.lost();
    }
  }

  private lost(): null {
    this.repaired = true;
    this.lostObjects = true;
    return null;
  }

  private objectStream(number: number): Map<number, PdfObject> {
    const known = this.streams.get(number);
    if (known !== undefined) return known;
    const stream = this.resolve(new PdfRef(number, 0));
    const objects = stream instanceof PdfStream ? readObjectStream(stream, this) : new Map<number, PdfObject>();
    this.streams.set(number, objects);
    return objects;
  }
}
