import { catalogOf } from "../reader/page-tree";
import type { PdfFile } from "../reader/pdf-file";
import {
  latin1,
  nameOf,
  numberOf,
  type PdfDict,
  type PdfObject,
  PdfStream,
  PdfString,
  textOf,
} from "../reader/pdf-object";

/** What one widget shows, with what it inherits from its field and form (ISO 32000-2, 12.7). */
export interface FormField {
  readonly kind: "text" | "choice" | "check" | "radio" | "button" | "signature" | "unknown";
  /** Lines that the value shows as; empty where there is none. */
  readonly text: string;
  /** Options of a list box, with the chosen ones; empty for every other kind. */
  readonly options: readonly { readonly text: string; readonly isChosen: boolean }[];
  readonly isOn: boolean;
  readonly isMultiline: boolean;
  /** Cells of a comb, or null. */
  readonly comb: number | null;
  readonly align: 0 | 1 | 2;
  readonly defaultAppearance: string;
}

/** Reads the field behind a widget. Chains of parents are followed only so far; rubbish counts as absent. */
export function fieldOf(file: PdfFile, widget: PdfDict): FormField {
  const form = file.get(catalogOf(file), "AcroForm");
  const read = (key: string) => inherited(file, widget, key) ?? (form instanceof Map ? file.get(form, key) : null);
  const flags = numberOf(inherited(file, widget, "Ff")) ?? 0;
  const kind = kindOf(nameOf(inherited(file, widget, "FT")), flags);
  const value = inherited(file, widget, "V");
  const align = numberOf(read("Q"));
  const isList = kind === "choice" && (flags & COMBO) === 0;
  const comb = numberOf(inherited(file, widget, "MaxLen"));
  const look = read("DA");
  const text = kind === "text" || kind === "choice" ? shownText(file, widget, value) : "";
  return {
    kind,
    text: (flags & PASSWORD) !== 0 && kind === "text" ? "*".repeat(text.length) : text,
    options: isList ? optionsOf(file, widget, value) : [],
    isOn: isOn(file, widget, value),
    isMultiline: kind === "text" && (flags & MULTILINE) !== 0,
    comb: kind === "text" && (flags & COMB) !== 0 && comb !== null && comb > 0 && comb <= COMB_MAX ? comb : null,
    align: align === 1 || align === 2 ? align : 0,
    defaultAppearance: look instanceof PdfString ? latin1(look.bytes) : "",
  };
}

/** Returns an entry of the widget or of the nearest field above it that has one. */
function inherited(file: PdfFile, widget: PdfDict, key: string): PdfObject {
  let node: PdfObject = widget;
  for (let depth = 0; node instanceof Map && depth < PARENTS_MAX; depth += 1) {
    const value = file.get(node, key);
    if (value !== null) return value;
    node = file.get(node, "Parent");
  }
  return null;
}

function kindOf(type: string | null, flags: number): FormField["kind"] {
  if (type === "Tx") return "text";
  if (type === "Ch") return "choice";
  if (type === "Sig") return "signature";
  if (type !== "Btn") return "unknown";
  if ((flags & PUSH_BUTTON) !== 0) return "button";
  return (flags & RADIO) !== 0 ? "radio" : "check";
}

function shownText(file: PdfFile, widget: PdfDict, value: PdfObject): string {
  if (value instanceof PdfStream) return textOf(new PdfString(file.decode(value).bytes)) ?? "";
  const chosen = chosenValues(file, value);
  const options = pairsOf(file, inherited(file, widget, "Opt"));
  return chosen.map((item) => options.find(([stored]) => stored === item)?.[1] ?? item).join(", ");
}

function optionsOf(file: PdfFile, widget: PdfDict, value: PdfObject): FormField["options"] {
  const chosen = chosenValues(file, value);
  const first = Math.max(0, numberOf(inherited(file, widget, "TI")) ?? 0);
  return pairsOf(file, inherited(file, widget, "Opt"))
    .slice(first)
    .map(([stored, text]) => ({ text, isChosen: chosen.includes(stored) }));
}

function chosenValues(file: PdfFile, value: PdfObject): string[] {
  const items = Array.isArray(value) ? value.slice(0, OPTIONS_MAX).map(file.resolve) : [value];
  return items.flatMap((item) => textOf(item) ?? nameOf(item) ?? []);
}

/** Options are strings, or pairs of what is stored and what is shown. */
function pairsOf(file: PdfFile, options: PdfObject): [string, string][] {
  if (!Array.isArray(options)) return [];
  return options.slice(0, OPTIONS_MAX).flatMap((item): [string, string][] => {
    const option = file.resolve(item);
    const both = Array.isArray(option) ? option.map(file.resolve) : [option, option];
    const stored = textOf(both[0]);
    const shown = textOf(both[1]) ?? stored;
    return stored === null || shown === null ? [] : [[stored, shown]];
  });
}

function isOn(file: PdfFile, widget: PdfDict, value: PdfObject): boolean {
  const state = nameOf(file.get(widget, "AS")) ?? nameOf(value);
  return state !== null && state !== "Off";
}

const PARENTS_MAX = 32;
const OPTIONS_MAX = 2_000;
const COMB_MAX = 1_000;
const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const RADIO = 1 << 15;
const PUSH_BUTTON = 1 << 16;
const COMBO = 1 << 17;
const COMB = 1 << 24;
