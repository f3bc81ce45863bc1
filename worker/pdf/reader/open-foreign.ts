import { PacketFailure } from "@/server/domain/failure";
import { FOREIGN_LIMITS, ReadingBudget, type ReadingLimits } from "./budget";
import { type CrossReference, findStartXref, readCrossReference } from "./cross-reference";
import { catalogOf } from "./page-tree";
import { PdfFile } from "./pdf-file";
import { recoverCrossReference } from "./recover";
import { SyntaxFault } from "./syntax-fault";

/**
 * Opens a foreign file whose header stands at `headerAt`: by its cross-reference where that leads to a page tree, else by
 * rebuilding it. Throws `source_malformed`, `source_encrypted` or `source_exhausts_limits`.
 */
export function openForeign(
  whole: Uint8Array,
  headerAt: number,
  mode: "trusting" | "rebuilding",
  limits: ReadingLimits = FOREIGN_LIMITS,
): PdfFile {
  // Offsets count from the header in files that got something put in front, but some writers count from the first byte.
  const origins = headerAt === 0 ? [0] : [headerAt, 0];
  if (mode === "trusting") {
    for (const origin of origins) {
      const file = openByCrossReference(whole.subarray(origin), limits);
      if (file !== null) return file;
    }
  }
  const bytes = whole.subarray(headerAt);
  const budget = new ReadingBudget(limits);
  const recovered = recoverCrossReference(bytes, budget);
  if (recovered === null) throw new PacketFailure("source_malformed", { detail: "no catalog" });
  const file = new PdfFile(bytes, recovered, budget, true);
  file.unlock();
  if (!hasPageTree(file)) throw new PacketFailure("source_malformed", { detail: "no page tree" });
  return file;
}

function openByCrossReference(bytes: Uint8Array, limits: ReadingLimits): PdfFile | null {
  const start = findStartXref(bytes);
  if (start === null) return null;
  const budget = new ReadingBudget(limits);
  let crossReference: CrossReference;
  try {
    crossReference = readCrossReference(bytes, start.offset, budget);
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
  const file = new PdfFile(bytes, crossReference, budget, false);
  file.unlock();
  return hasPageTree(file) ? file : null;
}

function hasPageTree(file: PdfFile): boolean {
  return file.get(file.trailer, "Root") instanceof Map && file.get(catalogOf(file), "Pages") instanceof Map;
}
