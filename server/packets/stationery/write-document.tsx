import { Document, pdf } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { instanceTree } from "./instance-tree";

export interface DocumentFacts {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** ISO instant: the only date in the bytes. */
  readonly createdAt: string;
}

/** The document as bytes, and the tree that was laid out: an internal of the pinned renderer, read by `worker/pdf/laid-out`. */
export interface WrittenDocument {
  readonly bytes: Uint8Array;
  readonly layout: unknown;
}

/** Returns the pages as PDF/A-2b, the same bytes for the same input on every machine. Fonts must be loaded. [C238] */
export async function writeDocument(pages: ReactElement, facts: DocumentFacts): Promise<WrittenDocument> {
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
      onRender={(rendered: object) => {
        layout = Reflect.get(rendered, "_INTERNAL__LAYOUT__DATA_");
      }}
    >
      {pages}
    </Document>
  );
  const instance = pdf();
  Reflect.set(instance.container, "document", instanceTree(document));
  const stream = await instance.toBuffer();
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return { bytes: new Uint8Array(Buffer.concat(parts)), layout };
}
