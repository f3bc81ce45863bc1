import type { ReactElement } from "react";

/** A document as it was laid out and written. */
export interface Drawn {
  readonly bytes: Uint8Array;
  /** For each page, the numbers of the rows that stand on it. */
  readonly rowsByPage: readonly (readonly number[])[];
}

export interface PaginateInput {
  readonly rows: number;
  /** Returns the document's page element for rows `from` to `to` (exclusive); the heading is in the first, totals in the last. */
  window(from: number, to: number): ReactElement;
  draw(page: ReactElement): Promise<Drawn>;
  /** Rows laid out at once. Small windows cost pages laid out twice, large ones a layout that grows faster than its rows. */
  readonly windowRows: number;
}

export interface Window {
  readonly bytes: Uint8Array;
  /** Pages to keep of the file: all but the last, which the next window begins again. */
  readonly pages: number;
}

/**
 * Lays out a table without end in windows and yields each as soon as it is drawn. The last page of a window is dropped and its rows
 * begin the next one, so that pages break where one pass would break them and cost grows with the rows only. [CASE-21]
 */
export async function* paginateRows({ rows, window, draw, windowRows }: PaginateInput): AsyncGenerator<Window> {
  let from = 0;
  let size = windowRows;
  do {
    const to = Math.min(from + size, rows);
    const { bytes, rowsByPage } = await draw(window(from, to));
    if (to === rows) {
      yield { bytes, pages: rowsByPage.length };
      return;
    }
    const next = rowsByPage.at(-1)?.[0];
    if (rowsByPage.length < 2 || next === undefined || next <= from) {
      // All of the window fits on one page: nothing can be kept before a larger one shows where that page ends.
      size *= 2;
      continue;
    }
    yield { bytes, pages: rowsByPage.length - 1 };
    from = next;
    size = windowRows;
  } while (from < rows);
}
