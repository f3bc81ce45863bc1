import { degrees, PDFDocument } from "pdf-lib";
import type { PersonActor } from "@/server/domain/access";
import { type JobId, newId, type SourceId } from "@/server/domain/ids";
import { canonicalDigest } from "@/server/domain/request";
import type { PacketKind, SampleFile } from "@/server/packets/kind";
import type { Submission } from "@/server/services/packets/submit-packet";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { type TestContext, TODAY } from "@/server/services/test-context";
import type { TestWorker } from "./test-worker";

/** What a test works with: the web side, the worker, and somebody who asks. */
export interface Scene {
  readonly context: TestContext;
  readonly worker: TestWorker;
  readonly actor: PersonActor;
}

/** Uploads bytes and has them inspected, as a person and the worker would. */
export async function uploaded(
  { context, worker, actor }: Scene,
  bytes: Uint8Array,
  about: { readonly title?: string; readonly purpose?: string } = {},
): Promise<SourceId> {
  const { sourceId } = await receiveUpload(context, actor, {
    bytes: (async function* () {
      yield bytes;
    })(),
    declaredBytes: bytes.byteLength,
    title: about.title ?? "paper.pdf",
    purpose: about.purpose ?? "pages",
    correlationId: "cor-upload",
  });
  await worker.inspect(sourceId);
  return sourceId;
}

/** Uploads the files of a kind's typical sample and returns the request that binds them. */
export async function sampleRequest(scene: Scene, kind: PacketKind): Promise<Submission> {
  const sample = kind.samples.typicalOn(TODAY);
  const ids = new Map<string, string>();
  for (const file of sample.files) ids.set(file.sourceId, await uploadedSample(scene, kind, file));
  return { kind: kind.name, payload: renamed(sample.payload, ids), correlationId: `cor-${kind.name}` };
}

async function uploadedSample(scene: Scene, kind: PacketKind, file: SampleFile): Promise<SourceId> {
  const table = file.mediaType === "text/csv" ? kind.tables[0] : undefined;
  const purpose = table === undefined ? "pages" : `${kind.name}/${table.name}`;
  return uploaded(scene, await file.make(), { title: file.title, purpose });
}

function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamed(item, ids)]));
}

/** Returns a PDF whose pages are this wide: by their widths they are known again in a book. */
export async function pagesOfWidth(width: number, pages = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (let index = 0; index < pages; index += 1) {
    const page = document.addPage([width, 400]);
    page.drawRectangle({ x: 20, y: 20, width: 60 + index, height: 40 });
    page.setRotation(degrees(0));
  }
  return document.save();
}

/** Returns the widths of the pages of a PDF, in order. */
export async function widthsIn(bytes: Uint8Array): Promise<number[]> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  return document.getPages().map((page) => Math.round(page.getWidth()));
}

/**
 * Copies a job that was never delivered, with its revision, payload and manifest, to another tenant of the same looks: the very same
 * input, to be made a second time. `changes` are columns of the job that differ, `content` is a payload that was accepted instead. With
 * `isAtHome` it stays with its tenant, under another business identity, which no page shows: children that served it serve it again.
 */
export async function copyOfJob(
  context: TestContext,
  jobId: JobId,
  {
    changes = {},
    content,
    isAtHome = false,
  }: { readonly changes?: object; readonly content?: object; readonly isAtHome?: boolean } = {},
): Promise<JobId> {
  const [original] = await context.sql<{ revision_id: string; payload_id: string; tenant_id: string }>(
    "SELECT revision_id, payload_id, tenant_id FROM jobs WHERE id = $1",
    [jobId],
  );
  if (original === undefined) throw new RangeError("There is no such job.");
  const copy = (table: string, id: string, differing: object) =>
    context.sql(`INSERT INTO ${table} SELECT (jsonb_populate_record(t, $2::jsonb)).* FROM ${table} t WHERE id = $1`, [
      id,
      JSON.stringify(differing),
    ]);
  const ids = {
    id: newId("job"),
    tenant_id: isAtHome ? original.tenant_id : newId("tenant"),
    payload_id: newId("payload"),
  };
  const { id, tenant_id, payload_id } = ids;
  const identity = isAtHome ? { business_identity: newId("revision") } : {};
  // Pages show the first letters of the revision's id.
  const revision_id = `${original.revision_id.slice(0, 16)}${newId("revision").slice(-20)}`;
  const digest = content === undefined ? null : canonicalDigest(content);
  if (!isAtHome) await copy("tenants", original.tenant_id, { id: tenant_id, slug: tenant_id });
  await copy("payloads", original.payload_id, { id: payload_id, tenant_id, ...(digest && { content, digest }) });
  const revision = { ...identity, id: revision_id, tenant_id, payload_id, ...(digest && { payload_digest: digest }) };
  await copy("revisions", original.revision_id, revision);
  const waiting = { state: "queued", settled_at: null, failure_code: null };
  const key = isAtHome ? { idempotency_key: id } : {};
  await copy("jobs", jobId, { ...ids, ...identity, ...key, revision_id, ...waiting, ...changes });
  await context.sql("INSERT INTO manifest_parts SELECT $2, position, part FROM manifest_parts WHERE job_id = $1", [
    jobId,
    id,
  ]);
  return id;
}
