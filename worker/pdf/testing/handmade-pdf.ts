/** Objects of a PDF written by hand, numbered from 1; the first is the catalog. */
export type Body = string | Uint8Array;

/** Returns a well-formed PDF of the given objects. Tests break it on purpose afterwards. */
export function handmadePdf(bodies: readonly Body[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  const push = (bytes: Buffer) => {
    parts.push(bytes);
    at += bytes.length;
  };
  bodies.forEach((body, index) => {
    offsets.push(at);
    const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : Buffer.from(body);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), bytes, Buffer.from("\nendobj\n")]));
  });
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = bodies.length + 1;
  push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`));
  push(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`, "latin1"));
  return Buffer.concat(parts);
}

/** A stream with its dictionary; `entries` without `Length`. */
export function stream(data: Body, entries = ""): Buffer {
  const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : Buffer.from(data);
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`, "latin1"),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

export interface HandmadePage {
  /** Entries of the page beside type, parent, contents and resources. */
  readonly entries?: string;
  readonly content?: string;
}

/**
 * Returns a PDF with one object each for pages and contents, and Helvetica as `/F`. `catalog` and `tree` are further entries
 * there; `extra` are further objects, the first of them number `firstExtra(pages)`.
 */
export function pagesPdf(
  pages: readonly HandmadePage[],
  { catalog = "", tree = "", extra = [] }: { catalog?: string; tree?: string; extra?: readonly Body[] } = {},
): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const hasBox = (page: HandmadePage) => /MediaBox/.test(page.entries ?? "") || /MediaBox/.test(tree);
  return handmadePdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} ${tree} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${5 + index * 2} 0 R /Resources << /Font << /F 3 0 R >> >> ` +
        `${hasBox(page) ? "" : "/MediaBox [0 0 595 842]"} ${page.entries ?? ""} >>`,
      stream(page.content ?? words(`Page ${index + 1}`)),
    ]),
    ...extra,
  ]);
}

/** Number of the first extra object of `pagesPdf`. */
export function firstExtra(pages: number): number {
  return 4 + pages * 2;
}

/** A content stream that prints one line near the upper left of an A4 page. */
export function words(text: string, x = 72, y = 740, size = 24): string {
  return `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
}
