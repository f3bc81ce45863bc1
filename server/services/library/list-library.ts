import { listLibraryDocuments } from "@/server/db/library";
import { mayAct, type PersonActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import type { Context } from "../context";

export interface LibraryView {
  readonly documentId: string;
  readonly title: string;
  readonly pages: number;
  readonly bytes: number;
  readonly state: "inspecting" | "accepted" | "refused";
  readonly addedAt: Date;
}

/** Returns the tenant's policies, in title order. */
export async function listLibrary(context: Context, actor: PersonActor, type: "policy"): Promise<LibraryView[]> {
  if (!mayAct(actor, "read")) throw new PacketFailure("not_found");
  const documents = await context.db.transact(actor, (tx) => listLibraryDocuments(tx, actor.tenantId, type));
  return documents.map((document) => ({
    documentId: document.id,
    title: document.title,
    pages: document.source.pages,
    bytes: Number(document.source.bytes),
    state: document.source.state as LibraryView["state"],
    addedAt: document.createdAt,
  }));
}
