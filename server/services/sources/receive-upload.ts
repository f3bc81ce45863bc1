import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { appendAuditEvent } from "@/server/db/audit-events";
import { insertSource, markAbandoned, markReceived } from "@/server/db/sources";
import { idOfActor, mayAct, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { type Digest, newId, type SourceId, sourceKey, type TenantId } from "@/server/domain/ids";
import { eraseBy, RECEIVING_MS_MAX, UNUSED_UPLOAD_DAYS } from "@/server/domain/retention";
import { KINDS } from "@/server/packets/registry";
import type { Context } from "../context";

export interface Upload {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What the sender says the length is, where it says so. */
  readonly declaredBytes: number | null;
  /** What the sender says the SHA-256 is, where it says so. */
  readonly declaredDigest?: Digest | null;
  /** The name on the sender's machine. Kept as words to show, never as a path. [C113] */
  readonly title: string;
  /** `pages`, or `<kind>/<table>` for a CSV file. */
  readonly purpose: string;
  readonly correlationId: string;
}

/**
 * Takes an upload in: counts and hashes it while it arrives, stops at the byte ceiling, keeps it under a name of ours, and queues its
 * inspection. Nothing is parsed here. Its row comes before its bytes, so that none lie unknown whoever dies in between. Throws
 * `source_too_large` mid-stream, `source_empty`, `source_incomplete`, `source_digest_mismatch`; then nothing of it is left.
 * [C107,C113,C168,C217,C459]
 */
export async function receiveUpload(
  context: Context,
  actor: TenantActor,
  upload: Upload,
): Promise<{ sourceId: SourceId; bytes: number; digest: Digest }> {
  if (!mayAct(actor, "upload")) throw new PacketFailure("not_found");
  if (!isKnownPurpose(upload.purpose)) throw new PacketFailure("invalid_request");
  if (upload.declaredBytes !== null && upload.declaredBytes > context.uploadBytesMax) {
    throw new PacketFailure("source_too_large");
  }
  await mkdir(context.incomingDirectory, { recursive: true, mode: 0o700 });
  const path = join(context.incomingDirectory, randomBytes(16).toString("hex"));
  try {
    const received = await writeBounded(path, upload.bytes, context.uploadBytesMax);
    if (received.bytes === 0) throw new PacketFailure("source_empty");
    if (upload.declaredBytes !== null && upload.declaredBytes !== received.bytes) {
      throw new PacketFailure("source_incomplete");
    }
    if ((upload.declaredDigest ?? received.digest) !== received.digest) {
      throw new PacketFailure("source_digest_mismatch");
    }
    const sourceId = newId("source");
    await announce(context, actor, sourceId, upload, received);
    try {
      await context.sources.commit(sourceKey(sourceId, "bytes"), path, received.digest);
      await confirm(context, actor, sourceId, upload, received);
    } catch (error) {
      // What cannot be removed now goes at the deadline on its row.
      await abandon(context, actor, sourceId).catch(() => undefined);
      throw error;
    }
    return { sourceId, ...received };
  } finally {
    await rm(path, { force: true });
  }
}

function isKnownPurpose(purpose: string): boolean {
  if (purpose === "pages") return true;
  return KINDS.some((kind) => kind.tables.some((table) => `${kind.name}/${table.name}` === purpose));
}

interface Received {
  readonly bytes: number;
  readonly digest: Digest;
}

async function writeBounded(path: string, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Received> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new PacketFailure("source_too_large");
      hash.update(chunk);
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { bytes, digest: `sha256:${hash.digest("hex")}` as Digest };
}

type Uploader = TenantActor & { readonly tenantId: TenantId };

/** Writes down what is about to be stored, for so long as storing it may take. */
async function announce(
  context: Context,
  actor: Uploader,
  sourceId: SourceId,
  upload: Upload,
  received: Received,
): Promise<void> {
  const now = context.clock.now();
  await context.db.transact(actor, (tx) =>
    insertSource(tx, {
      id: sourceId,
      tenantId: actor.tenantId,
      purpose: upload.purpose,
      title: displayName(upload.title),
      bytes: received.bytes,
      digest: received.digest,
      uploadedBy: idOfActor(actor),
      createdAt: now,
      eraseBy: new Date(now.getTime() + RECEIVING_MS_MAX),
    }),
  );
}

/** The bytes are whole: from here on the upload exists, with its inspection, its audit event and its own deadline. */
async function confirm(
  context: Context,
  actor: Uploader,
  sourceId: SourceId,
  upload: Upload,
  received: Received,
): Promise<void> {
  const now = context.clock.now();
  await context.db.transact(actor, async (tx) => {
    const isOurs = await markReceived(tx, sourceId, eraseBy(now, UNUSED_UPLOAD_DAYS));
    if (!isOurs) throw new PacketFailure("storage_unavailable", { detail: "given up while its bytes were stored" });
    await context.enqueue(tx, "inspection", { sourceId }, { dueAt: null, outstanding: 0 });
    await appendAuditEvent(tx, actor, {
      tenantId: actor.tenantId,
      action: "source.received",
      subjectType: "source",
      subjectId: sourceId,
      correlationId: upload.correlationId,
      at: now,
      facts: { bytes: received.bytes },
    });
  });
}

/**
 * Removes what was stored of an upload that did not become one: a commit that failed may have made its bytes visible all the same. Where
 * the confirmation had been written, and only its answer was lost, the upload stands.
 */
async function abandon(context: Context, actor: TenantActor, sourceId: SourceId): Promise<void> {
  await context.db.transact(actor, async (tx) => {
    if (!(await markAbandoned(tx, sourceId, context.clock.now()))) return;
    await context.sources.erase(sourceKey(sourceId, "bytes"));
  });
}

/** Returns the last component of a name as people see it, without characters that a database or a header refuses. */
function displayName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .normalize("NFC")
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "")
    .trim()
    .slice(0, 200);
  return clean === "" ? "Untitled" : clean;
}
