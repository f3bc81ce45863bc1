import { decimal } from "../drawn-text";
import type { PdfFile } from "../reader/pdf-file";
import { numberOf, type PdfDict, type PdfObject } from "../reader/pdf-object";

/** Returns ground and border of a field as operators, and the width of the border. */
export function lookOf(
  file: PdfFile,
  widget: PdfDict,
  width: number,
  height: number,
): { operators: string; border: number } {
  const look = file.get(widget, "MK");
  const ground = look instanceof Map ? colourOf(file, file.get(look, "BG"), "fill") : null;
  const line = look instanceof Map ? colourOf(file, file.get(look, "BC"), "stroke") : null;
  const style = file.get(widget, "BS");
  const stated = style instanceof Map ? numberOf(file.get(style, "W")) : null;
  const border = line === null ? 0 : Math.max(0, Math.min(stated ?? 1, width / 4, height / 4));
  const box = (inset: number) => [inset, inset, width - 2 * inset, height - 2 * inset].map(decimal).join(" ");
  const filled = ground === null ? "" : `${ground} ${box(0)} re f\n`;
  const framed = line === null || border === 0 ? "" : `${line} ${decimal(border)} w ${box(border / 2)} re S\n`;
  return { operators: filled + framed, border };
}

function colourOf(file: PdfFile, value: PdfObject, use: "fill" | "stroke"): string | null {
  if (!Array.isArray(value)) return null;
  const numbers = value.map((item) => numberOf(file.resolve(item)) ?? 0);
  const operators = use === "fill" ? { 1: "g", 3: "rg", 4: "k" } : { 1: "G", 3: "RG", 4: "K" };
  const operator = new Map(Object.entries(operators)).get(String(numbers.length));
  return operator === undefined ? null : `${numbers.map(decimal).join(" ")} ${operator}`;
}

/** The colour that a default appearance asks for, as an operator; black where it asks for none. */
export function colourFrom(appearance: string): string {
  const found = [...appearance.matchAll(/((?:[\d.]+\s+){1,4})(rg|g|k)(?=\s|$)/g)].at(-1);
  const numbers = found?.[1]?.trim().split(/\s+/).map(Number) ?? [];
  const wanted = { g: 1, rg: 3, k: 4 }[found?.[2] ?? ""];
  if (numbers.length !== wanted || numbers.some(Number.isNaN)) return "0 g";
  return `${numbers.map(decimal).join(" ")} ${found?.[2]}`;
}

/** The size that a default appearance asks for; 0 means as large as fits. */
export function sizeFrom(appearance: string): number {
  const size = Number(/\/\S+\s+(-?[\d.]+)\s+Tf/.exec(appearance)?.[1] ?? "0");
  return Number.isFinite(size) && size > 0 ? Math.min(size, 200) : 0;
}
