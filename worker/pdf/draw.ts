import type { ReactElement } from "react";
import { PacketFailure } from "@/server/domain/failure";
import { type DocumentFacts, writeDocument } from "@/server/packets/stationery/write-document";
import { overflowingPage, rowsByPage } from "./laid-out";
import type { Drawn } from "./paginate";

/**
 * Returns the pages as PDF bytes and which rows stand on which page. Throws `template_rejected` with the page where something would
 * run off its foot: nothing is ever lost without a word.
 */
export async function drawPages(pages: ReactElement, facts: DocumentFacts): Promise<Drawn> {
  const { bytes, layout } = await writeDocument(pages, facts);
  const page = overflowingPage(layout);
  if (page !== null) throw new PacketFailure("template_rejected", { page });
  return { bytes, rowsByPage: rowsByPage(layout) };
}
