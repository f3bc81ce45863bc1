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

/**
 * Returns the first page (from 1) that cannot hold its content, or null: something in the flow runs below the page's padding, or a text
 * has less height than its lines, which is how the layout engine squeezes what is too tall for a page.
 */
export function overflowingPage(layout: unknown): number | null {
  for (const [index, page] of childrenOf(layout).entries()) {
    const floor = numberAt(page, "box", "height") - numberAt(page, "box", "paddingBottom");
    if (childrenOf(page).some((node) => overflows(node, 0, floor + TOLERANCE))) return index + 1;
  }
  return null;
}

/** Points; boxes are rounded by the layout engine. */
const TOLERANCE = 1.5;

function overflows(node: unknown, above: number, floor: number): boolean {
  if (valueAt(node, "style", "position") === "absolute") return false;
  const top = above + numberAt(node, "box", "top");
  const lines = valueAt(node, "lines");
  if (!Array.isArray(lines)) return childrenOf(node).some((child) => overflows(child, top, floor));
  const needed = lines.reduce<number>((sum, line) => sum + numberAt(line, "box", "height"), 0);
  return needed > numberAt(node, "box", "height") + TOLERANCE || top + needed > floor;
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
