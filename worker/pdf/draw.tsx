import { Document, pdf } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { PacketFailure } from "@/server/domain/failure";
import { instanceTree } from "./instance-tree";
import { overflowingPage, rowsByPage } from "./laid-out";
import type { Drawn } from "./paginate";

export interface DocumentFacts {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** ISO instant: the only date in the bytes. */
  readonly createdAt: string;
}

/**
 * Returns the pages as PDF bytes, the same for the same input on every machine, and which rows stand on which page. Throws
 * `template_rejected` with the page where something would run off its foot: nothing is ever lost without a word. [C238]
 */
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
  const page = overflowingPage(layout);
  if (page !== null) throw new PacketFailure("template_rejected", { page });
  return { bytes: Buffer.concat(parts), rowsByPage: rowsByPage(layout) };
}
