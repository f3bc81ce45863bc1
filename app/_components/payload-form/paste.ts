import type { Field, Node } from "./schema";

/**
 * Returns rows of fields from cells copied out of a spreadsheet, beginning with the field at `column`; null where the text is no more than
 * one cell, which is pasted as it is.
 */
export function cellsFromClipboard(
  text: string,
  fields: readonly Field[],
  column: number,
): Record<string, unknown>[] | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  if (lines.length === 1 && !text.includes("\t")) return null;
  return lines.map((line) => {
    const cells = line.split("\t").map((cell, offset) => ({ cell, field: fields[column + offset] }));
    return Object.fromEntries(
      cells.flatMap(({ cell, field }) =>
        field === undefined ? [] : [[field.name, valueOfCell(field.node, cell.trim())]],
      ),
    );
  });
}

function valueOfCell(node: Node, cell: string): unknown {
  if (node.type === "number") return /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(",", ".")) : cell;
  if (node.type === "one-of") return node.values.find((value) => value.toLowerCase() === cell.toLowerCase()) ?? "";
  if (node.type === "yes-no") return /^(yes|true|1|x)$/i.test(cell);
  return cell;
}
