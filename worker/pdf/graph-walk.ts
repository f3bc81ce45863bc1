import type { PdfFile } from "./reader/pdf-file";
import { type PdfDict, type PdfObject, PdfRef, PdfStream } from "./reader/pdf-object";

/**
 * Visits every dictionary and stream that the trailer leads to, each once. `isMap` is true for dictionaries of freely chosen
 * names, whose keys mean nothing. Loops in the graph cost nothing; there is no recursion.
 */
export function walkGraph(
  file: PdfFile,
  isMapKey: (key: string) => boolean,
  visit: (dict: PdfDict, stream: PdfStream | null, isMap: boolean) => void,
): void {
  const seen = new Set<number>();
  const pending: { value: PdfObject; isMap: boolean }[] = [{ value: file.trailer, isMap: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let { value } = next;
    if (value instanceof PdfRef) {
      if (seen.has(value.number)) continue;
      seen.add(value.number);
      value = file.read(value);
    }
    if (Array.isArray(value)) {
      for (const item of value) if (isContainer(item)) pending.push({ value: item, isMap: next.isMap });
      continue;
    }
    const dict = value instanceof PdfStream ? value.dict : value instanceof Map ? value : null;
    if (dict === null) continue;
    const isMap = next.isMap && !(value instanceof PdfStream);
    visit(dict, value instanceof PdfStream ? value : null, isMap);
    for (const [key, inner] of dict) {
      if (isContainer(inner)) pending.push({ value: inner, isMap: !isMap && isMapKey(key) });
    }
  }
}

function isContainer(value: PdfObject): boolean {
  return typeof value === "object" && value !== null;
}
