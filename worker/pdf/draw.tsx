import { Document, pdf } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import type { Drawn } from "./paginate";

export interface DocumentFacts {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** ISO instant: the only date in the bytes. */
  readonly createdAt: string;
}

/** Returns the pages as PDF bytes, the same for the same input on every machine, and which rows stand on which page. [C238] */
export async function drawPages(pages: ReactElement, facts: DocumentFacts): Promise<Drawn> {
  let layout: unknown;
  const document = (
    <Document
      conformance="PDF/A-2b"
      title={facts.title}
      author={facts.author}
      language={facts.language}
      creator="Bindery"
      producer="Bindery"
      creationDate={new Date(facts.createdAt)}
      onRender={(rendered: unknown) => {
        layout = childOf(rendered, "_INTERNAL__LAYOUT__DATA_");
      }}
    >
      {pages}
    </Document>
  );
  const stream = await pdf(document).toBuffer();
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return { bytes: Buffer.concat(parts), rowsByPage: childrenOf(layout).map(rowsOf) };
}

/** Rows carry the id `row-n` and are children of their page. The laid-out tree is an internal of the pinned renderer; a test holds it. */
function rowsOf(page: unknown): number[] {
  return childrenOf(page).flatMap((node) => {
    const id = childOf(childOf(node, "props"), "id");
    return typeof id === "string" && id.startsWith("row-") ? [Number(id.slice(4))] : [];
  });
}

function childrenOf(node: unknown): unknown[] {
  const children = childOf(node, "children");
  return Array.isArray(children) ? children : [];
}

function childOf(node: unknown, key: string): unknown {
  return typeof node === "object" && node !== null ? Reflect.get(node, key) : undefined;
}
