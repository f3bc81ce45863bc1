import { PacketFailure } from "@/server/domain/failure";
import { FINISHED_LIMITS, ReadingBudget } from "../reader/budget";
import { type CrossReference, findStartXref, readCrossReference } from "../reader/cross-reference";
import { PdfFile } from "../reader/pdf-file";
import { latin1 } from "../reader/pdf-object";
import { SyntaxFault } from "../reader/syntax-fault";
import { type DocumentFacts, readDocumentFacts } from "./document-facts";
import { findObjectFaults } from "./object-faults";
import { findPageTreeFaults } from "./page-tree-faults";

/** What the strict reader finds in a file that we wrote ourselves. */
export interface GateFacts extends DocumentFacts {
  readonly hasSignature: boolean;
  readonly endsProperly: boolean;
  /** False where a limit was passed or nothing could be read: no other parser should be shown the file. */
  readonly isSafeToOpen: boolean;
  readonly pages: number | null;
  readonly encrypted: boolean;
  readonly faults: readonly string[];
}

/**
 * Reads a finished file without mending anything: the second parser repairs what it finds, so it can never verify what other
 * readers will see. Every fault is a code; limits are faults like any other. [C283,C284,C286,C287]
 */
export async function gateFinished(bytes: Uint8Array, onProgress: () => void): Promise<GateFacts> {
  const hasSignature = /^%PDF-1\.[4-7][\r\n]/.test(latin1(bytes.subarray(0, 9)));
  const start = findStartXref(bytes);
  const tail = start === null ? "" : latin1(bytes.subarray(start.at));
  const endsProperly = /^startxref\r?\n\d+\r?\n%%EOF(\r?\n)?$/.test(tail);
  const faults = new Set<string>();
  if (!hasSignature) faults.add("header");
  if (!endsProperly) faults.add("tail");
  const closed = { hasSignature, endsProperly, isSafeToOpen: false, pages: null, encrypted: false, ...NO_FACTS };
  try {
    const budget = new ReadingBudget(FINISHED_LIMITS);
    const crossReference = start === null ? null : readStrictly(bytes, start.offset, budget);
    if (crossReference === null) return { ...closed, faults: [...faults, "cross_reference"] };
    const file = new PdfFile(bytes, crossReference, budget, false);
    const encrypted = file.trailer.has("Encrypt");
    if (encrypted) return { ...closed, encrypted, isSafeToOpen: true, faults: [...faults, "encrypted"] };
    if (crossReference.sections > 1) faults.add("more_than_one_section");
    for (const fault of await findObjectFaults(file, onProgress)) faults.add(fault);
    const tree = findPageTreeFaults(file);
    for (const fault of tree.faults) faults.add(fault);
    const facts = readDocumentFacts(file);
    return { ...closed, ...facts, isSafeToOpen: true, pages: tree.pages, faults: [...faults] };
  } catch (error) {
    if (!(error instanceof PacketFailure)) throw error;
    return { ...closed, faults: [...faults, error.code === "source_malformed" ? "page_tree" : "limits"] };
  }
}

const NO_FACTS: DocumentFacts = {
  title: null,
  language: null,
  hasIdentifier: false,
  fontsNotEmbedded: [],
  activeContent: [],
  archivalClaim: null,
};

function readStrictly(bytes: Uint8Array, offset: number, budget: ReadingBudget): CrossReference | null {
  try {
    return readCrossReference(bytes, offset, budget);
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
}
