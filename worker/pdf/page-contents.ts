import { PDFArray, type PDFContext, PDFName, type PDFObject, PDFRawStream, PDFRef } from "pdf-lib";
import { scanContent } from "./content-scan";
import type { ObjectCopier } from "./object-copier";
import type { PdfFile } from "./reader/pdf-file";
import { type PdfObject, PdfRef, PdfStream } from "./reader/pdf-object";

/** The content of a copied page, in a shell that lets nothing leak into what is drawn after it. */
export interface IsolatedContents {
  readonly streams: readonly PDFRef[];
  /** Operators that close what the content leaves open. */
  readonly closing: string;
  /** True where nothing is drawn at all. */
  readonly isEmpty: boolean;
}

/**
 * Copies the contents of a page. Each stays a stream of its own, shared where the source shares it, except where a `Q`
 * too many or an unfinished string forces it to be written anew. Throws nothing: damage is judged before, by inspection.
 */
export function copyContents(
  file: PdfFile,
  copier: ObjectCopier,
  context: PDFContext,
  contents: PdfObject | undefined,
): IsolatedContents {
  const parts = streamsOf(file, contents);
  const decoded = parts.map((part) => file.decode(part.stream).bytes);
  const joined = joinWithSpace(decoded);
  const { excess, open, marked, inText, end } = scanContent(joined);
  const closing = `${inText ? " ET" : ""}${" EMC".repeat(marked)}${" Q".repeat(open)}`;
  const isEmpty = joined.every((byte) => byte <= 0x20);
  if (excess.length === 0 && end === joined.length) {
    return { streams: parts.map((part) => copyStream(copier, context, part)), closing, isEmpty };
  }
  const mended = joined.slice(0, end);
  for (const [from, to] of excess) mended.fill(0x20, from, to);
  return { streams: [context.register(context.flateStream(mended))], closing, isEmpty };
}

/** Returns the `Contents` of a page: its streams between `q` and `Q`, then `after` in the page's initial state. */
export function wrapContents(
  context: PDFContext,
  { streams, closing }: IsolatedContents,
  save: PDFRef,
  after: readonly PDFObject[],
): PDFArray {
  const array = PDFArray.withContext(context);
  array.push(save);
  for (const stream of streams) array.push(stream);
  array.push(closing === "" ? restoreOf(context, save) : context.register(context.stream(`\n${closing} Q\n`)));
  for (const item of after) array.push(item);
  return array;
}

const restores = new WeakMap<PDFContext, Map<PDFRef, PDFRef>>();

/** One shared `Q` for each shared `q`. */
function restoreOf(context: PDFContext, save: PDFRef): PDFRef {
  const known = restores.get(context) ?? new Map<PDFRef, PDFRef>();
  restores.set(context, known);
  const ref = known.get(save) ?? context.register(context.stream("\nQ\n"));
  known.set(save, ref);
  return ref;
}

/** Returns a shared stream that saves the graphics state. */
export function saveStream(context: PDFContext): PDFRef {
  return context.register(context.stream("q\n"));
}

interface Part {
  readonly ref: PdfRef | null;
  readonly stream: PdfStream;
}

/** `Contents` is a stream or an array of them, each direct or not. Anything else draws nothing. */
export function streamsOf(file: PdfFile, contents: PdfObject | undefined): Part[] {
  const value = file.resolve(contents);
  const items = Array.isArray(value) ? value : [contents ?? null];
  return items.flatMap((item) => {
    const stream = file.resolve(item);
    return stream instanceof PdfStream ? [{ ref: item instanceof PdfRef ? item : null, stream }] : [];
  });
}

function copyStream(copier: ObjectCopier, context: PDFContext, part: Part): PDFRef {
  const copied = copier.copy(part.ref ?? part.stream);
  if (copied instanceof PDFRef) return copied;
  if (copied instanceof PDFRawStream) copied.dict.delete(PDFName.of("Length"));
  return context.register(copied);
}

function joinWithSpace(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, 0)).fill(0x20);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length + 1;
  }
  return joined;
}
