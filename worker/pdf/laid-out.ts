/**
 * The tree that the renderer laid out. Its shape is an internal of the pinned version, so every step checks what it finds, and tests
 * hold what we rely on: pages are the root's children, rows carry their number, boxes are relative to their parent.
 */

/** Returns for each page the numbers of the rows on it: the page's children that the template named `row-n`. Throws where there is no page. */
export function rowsByPage(layout: unknown): number[][] {
  const pages = childrenOf(layout);
  if (pages.length === 0) throw new Error("The renderer gave back no layout.");
  return pages.map((page) => childrenOf(page).flatMap(rowNumber));
}

/** Returns the first page (from 1) on which something in the flow runs below the page's padding, or null. */
export function overflowingPage(layout: unknown): number | null {
  for (const [index, page] of childrenOf(layout).entries()) {
    const floor = numberAt(page, "box", "height") - numberAt(page, "box", "paddingBottom");
    if (childrenOf(page).some((node) => lowestEdge(node, 0) > floor + TOLERANCE)) return index + 1;
  }
  return null;
}

/** Points; boxes are rounded by the layout engine. */
const TOLERANCE = 1.5;

function lowestEdge(node: unknown, above: number): number {
  if (valueAt(node, "style", "position") === "absolute") return 0;
  const top = above + numberAt(node, "box", "top");
  const own = valueAt(node, "lines") === undefined ? 0 : top + numberAt(node, "box", "height");
  return childrenOf(node).reduce<number>((lowest, child) => Math.max(lowest, lowestEdge(child, top)), own);
}

function rowNumber(node: unknown): number[] {
  const row = valueAt(node, "props", "row");
  return typeof row === "number" ? [row] : [];
}

function childrenOf(node: unknown): unknown[] {
  const children = valueAt(node, "children");
  return Array.isArray(children) ? children : [];
}

function numberAt(node: unknown, ...keys: readonly string[]): number {
  const value = valueAt(node, ...keys);
  return typeof value === "number" ? value : 0;
}

function valueAt(node: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    node,
  );
}
