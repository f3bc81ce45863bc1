import { catalogOf } from "../reader/page-tree";
import type { PdfFile } from "../reader/pdf-file";
import { nameOf, type PdfDict, type PdfObject, PdfRef } from "../reader/pdf-object";

/** Checks the page tree: types, parents, counts, no page twice, no loop (ISO 32000-2, 7.7.3). Counts the leaves itself. */
export function findPageTreeFaults(file: PdfFile): { pages: number; faults: Set<string> } {
  const faults = new Set<string>();
  const seen = new Set<number>();
  const leaves = new Map<PdfDict, number>();
  let pages = 0;
  const root = catalogOf(file).get("Pages");
  const pending: { ref: PdfObject; above: readonly PdfDict[]; parent: PdfRef | null }[] = [
    { ref: root ?? null, above: [], parent: null },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { ref, above, parent } = next;
    const node = file.resolve(ref);
    if (!(ref instanceof PdfRef) || !(node instanceof Map) || seen.has(ref.number) || above.length > DEPTH_MAX) {
      faults.add("page_tree");
      continue;
    }
    seen.add(ref.number);
    const upward = node.get("Parent");
    if (parent === null ? upward !== undefined : !(upward instanceof PdfRef) || upward.number !== parent.number) {
      faults.add("page_tree");
    }
    const kids = file.get(node, "Kids");
    const type = nameOf(file.get(node, "Type"));
    if (type === "Pages" && Array.isArray(kids)) {
      leaves.set(node, 0);
      for (const kid of [...kids].reverse()) pending.push({ ref: kid, above: [...above, node], parent: ref });
    } else if (type === "Page" && kids === null && parent !== null) {
      pages += 1;
      for (const holder of above) leaves.set(holder, (leaves.get(holder) ?? 0) + 1);
    } else faults.add("page_tree");
  }
  for (const [node, count] of leaves) if (file.get(node, "Count") !== count) faults.add("page_count");
  return { pages, faults };
}

const DEPTH_MAX = 32;
