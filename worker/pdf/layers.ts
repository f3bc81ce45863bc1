import { PDFArray, type PDFDocument, PDFHexString, PDFName, PDFRef } from "pdf-lib";
import type { ObjectCopier } from "./object-copier";
import { catalogOf } from "./reader/page-tree";
import type { PdfFile } from "./reader/pdf-file";
import { nameOf, type PdfDict, type PdfObject, PdfRef } from "./reader/pdf-object";

/** Optional content of one or more files: every layer keeps the state in which its file shows it (ISO 32000-2, 8.11.4). */
export class Layers {
  private readonly shown: PDFRef[] = [];
  private readonly hidden: PDFRef[] = [];

  /** Takes over the layers of `file`. */
  add(file: PdfFile, copier: ObjectCopier): void {
    const properties = file.get(catalogOf(file), "OCProperties");
    if (!(properties instanceof Map)) return;
    const configuration = file.get(properties, "D");
    const config = configuration instanceof Map ? configuration : new Map<string, PdfObject>();
    const base = nameOf(file.get(config, "BaseState")) ?? "ON";
    const listed = numbersIn(file, file.get(config, base === "OFF" ? "ON" : "OFF"));
    const viewed = statesForViewing(file, config);
    const groups = file.get(properties, "OCGs");
    const seen = new Set<number>();
    for (const group of Array.isArray(groups) ? groups.slice(0, LAYERS_MAX) : []) {
      if (!(group instanceof PdfRef) || seen.has(group.number) || !(file.resolve(group) instanceof Map)) continue;
      seen.add(group.number);
      const copy = copier.copy(group);
      if (!(copy instanceof PDFRef)) continue;
      const isHidden = viewed.get(group.number) ?? listed.has(group.number) !== (base === "OFF");
      (isHidden ? this.hidden : this.shown).push(copy);
    }
  }

  /** Writes one configuration that shows and hides what the sources do. */
  write({ catalog, context }: PDFDocument): void {
    if (this.shown.length + this.hidden.length === 0) return;
    const all = PDFArray.withContext(context);
    const off = PDFArray.withContext(context);
    for (const ref of [...this.shown, ...this.hidden]) all.push(ref);
    for (const ref of this.hidden) off.push(ref);
    const config = context.obj({ Name: PDFHexString.fromText("As received"), BaseState: "ON" });
    if (off.size() > 0) config.set(PDFName.of("OFF"), off);
    catalog.set(PDFName.of("OCProperties"), context.obj({ OCGs: all, D: config }));
  }
}

/** Layers that a viewer switches by itself for the screen, with true for hidden ones (ISO 32000-2, 8.11.4.5). */
function statesForViewing(file: PdfFile, config: PdfDict): Map<number, boolean> {
  const hidden = new Map<number, boolean>();
  const usages = file.get(config, "AS");
  for (const item of Array.isArray(usages) ? usages.slice(0, LAYERS_MAX) : []) {
    const usage = file.resolve(item);
    if (!(usage instanceof Map) || nameOf(file.get(usage, "Event")) !== "View") continue;
    for (const number of numbersIn(file, file.get(usage, "OCGs"))) {
      const group = file.read(new PdfRef(number, 0));
      const state = ["Usage", "View", "ViewState"].reduce<PdfObject>(
        (value, key) => (value instanceof Map ? file.get(value, key) : null),
        group,
      );
      if (nameOf(state) !== null) hidden.set(number, nameOf(state) === "OFF");
    }
  }
  return hidden;
}

function numbersIn(file: PdfFile, list: PdfObject): Set<number> {
  const refs = Array.isArray(list) ? list : [];
  return new Set(refs.flatMap((item) => (item instanceof PdfRef && file.resolve(item) !== null ? [item.number] : [])));
}

const LAYERS_MAX = 10_000;
