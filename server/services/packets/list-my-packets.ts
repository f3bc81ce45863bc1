import { listAddressed } from "@/server/db/artifacts";
import type { PersonActor } from "@/server/domain/access";
import type { PageMapEntry } from "@/server/domain/artifact";
import type { Part } from "@/server/domain/manifest";
import { findKind } from "@/server/packets/registry";
import type { Context } from "../context";

export interface MyPacket {
  readonly jobId: string;
  readonly kindTitle: string;
  readonly subject: string;
  readonly from: string;
  readonly accent: string;
  readonly pages: number;
  readonly bytes: number;
  readonly archivedAt: Date;
  readonly retainUntil: Date;
  readonly erasedAt: Date | null;
  readonly contents: readonly { readonly title: string; readonly pages: number }[];
}

const MOST = 100;

/** Returns the finished packets addressed to this person, whatever tenant made them, newest first; older revisions are left out. */
export async function listMyPackets(context: Context, actor: PersonActor): Promise<MyPacket[]> {
  return context.db.transact(actor, async (tx) => {
    const jobs = await listAddressed(tx, actor.userId, MOST);
    const packets: MyPacket[] = [];
    for (const job of jobs) {
      if (job.artifact === null) continue;
      packets.push({
        jobId: job.id,
        kindTitle: findKind(job.kind)?.title ?? job.kind,
        subject: job.subject,
        from: job.tenant.name,
        accent: job.tenant.accent,
        pages: job.artifact.pages,
        bytes: Number(job.artifact.bytes),
        archivedAt: job.artifact.committedAt,
        retainUntil: job.artifact.retainUntil,
        erasedAt: job.artifact.erasedAt,
        contents: contentsOf(job.parts, job.artifact.pageMap as unknown as PageMapEntry[]),
      });
    }
    return packets.sort((a, b) => b.archivedAt.getTime() - a.archivedAt.getTime());
  });
}

function contentsOf(
  parts: readonly { readonly part: unknown }[],
  pageMap: readonly PageMapEntry[],
): MyPacket["contents"] {
  return parts.map((row) => {
    const part = row.part as Part;
    const entry = pageMap.find((candidate) => candidate.position === part.position);
    return { title: part.title, pages: entry === undefined ? 0 : entry.to - entry.from + 1 };
  });
}
