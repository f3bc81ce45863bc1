import type { Transaction } from "@/server/db/client";
import { findLibraryDocuments, findSources, type SourceRow } from "@/server/db/sources";
import { findTenant } from "@/server/db/tenants";
import { isWithin, mayAct, type Reach, type TenantActor } from "@/server/domain/access";
import { type Finding, PacketFailure } from "@/server/domain/failure";
import type { Digest, SourceId, TenantId } from "@/server/domain/ids";
import type { DeclaredSize } from "@/server/domain/lane";
import { type Manifest, orderManifest } from "@/server/domain/manifest";
import { checkPayload, dayIn } from "@/server/packets/check-payload";
import type { PacketKind, SourceFacts, SourceReference } from "@/server/packets/kind";
import { findKind } from "@/server/packets/registry";

export interface PacketRequest {
  readonly kind: string;
  readonly audience?: string | undefined;
  readonly payload: unknown;
}

/** A request that passed every cheap check: what submit and preview go on with. */
export interface AcceptedRequest {
  readonly tenantId: TenantId;
  readonly tenant: NonNullable<Awaited<ReturnType<typeof findTenant>>>;
  readonly kind: PacketKind;
  readonly audience: string;
  /** Normalised by the schema; the only content that is ever rendered. [C119] */
  readonly payload: unknown;
  readonly manifest: Manifest;
  readonly size: DeclaredSize;
  readonly sourceIds: readonly string[];
}

/**
 * Checks a request without doing anything costly: may this person submit this, does it fit the kind's schema and rules, is every source
 * the tenant's own and ready. Throws a coded failure with the findings beside their fields; nothing is written.
 * [C52,C60,C83,C89,C99,C115]
 */
export async function acceptRequest(
  tx: Transaction,
  actor: TenantActor,
  request: PacketRequest,
  now: Date,
): Promise<AcceptedRequest> {
  if (!mayAct(actor, "submit")) throw new PacketFailure("not_found");
  const tenant = await findTenant(tx, actor.tenantId);
  if (tenant === null) throw new PacketFailure("not_found");
  const kind = findKind(request.kind);
  if (kind === null || (tenant.kinds.length > 0 && !tenant.kinds.includes(kind.name))) {
    throw new PacketFailure("unknown_kind");
  }
  const audience = request.audience ?? kind.audiences[0];
  if (!kind.audiences.includes(audience)) {
    throw new PacketFailure("payload_invalid", {
      findings: [{ path: ["audience"], code: "unknown_audience", message: "Choose one of the audiences." }],
    });
  }
  const payload = checkPayload(kind, request.payload, dayIn(tenant.timeZone, now));
  refuseForeignScope(actor.reach, kind, payload);
  const references = kind.sources(payload);
  const found = await findReferenced(tx, actor.tenantId, kind, references);
  const manifest = orderManifest(kind.manifest(payload, audience, (sourceId) => factsOf(found, sourceId)));
  return {
    tenantId: actor.tenantId,
    tenant,
    kind,
    audience,
    payload,
    manifest,
    size: sizeOf(manifest),
    sourceIds: idsOf(found),
  };
}

function refuseForeignScope(reach: Reach, kind: PacketKind, payload: unknown): void {
  if (!isWithin(reach, { kind: kind.name, scope: kind.scope(payload) })) throw new PacketFailure("not_found");
}

interface Referenced {
  readonly source: SourceRow;
  readonly title: string;
}

async function findReferenced(
  tx: Transaction,
  tenantId: TenantId,
  kind: PacketKind,
  references: readonly SourceReference[],
): Promise<ReadonlyMap<string, Referenced>> {
  const ids = [...new Set(references.map((reference) => reference.sourceId))];
  const sources = await findSources(
    tx,
    tenantId,
    ids.filter((id) => id.startsWith("src_")),
  );
  const documents = await findLibraryDocuments(
    tx,
    tenantId,
    ids.filter((id) => id.startsWith("lib_")),
  );
  const found = new Map<string, Referenced>();
  for (const source of sources) found.set(source.id, { source, title: source.title });
  for (const document of documents) found.set(document.id, { source: document.source, title: document.title });
  const findings = references.flatMap((reference) => judge(kind, reference, found.get(reference.sourceId)));
  if (findings.length > 0) throw new PacketFailure("payload_invalid", { findings });
  return found;
}

function judge(kind: PacketKind, reference: SourceReference, found: Referenced | undefined): Finding[] {
  const finding = (code: string, message: string): Finding[] => [{ path: reference.path, code, message }];
  if (found === undefined) return finding("source_missing", "This file is not here any more. Upload it again.");
  const { source } = found;
  if (source.state === "inspecting")
    return finding("source_inspecting", "This file is still being checked. Wait a moment.");
  if (source.state === "refused")
    return finding("source_refused", "This file cannot be used. Replace it or leave it out.");
  const isTable = source.purpose !== "pages";
  if (isTable !== (reference.accepts === "table")) {
    return finding("source_unsupported_type", isTable ? "Choose a PDF or a picture here." : "Choose a CSV file here.");
  }
  if (isTable && !kind.tables.some((table) => source.purpose === `${kind.name}/${table.name}`)) {
    return finding(
      "source_unsupported_type",
      "This table was checked for another kind of packet. Upload it here again.",
    );
  }
  return [];
}

function factsOf(found: ReadonlyMap<string, Referenced>, sourceId: string): SourceFacts {
  const referenced = found.get(sourceId);
  if (referenced === undefined) throw new PacketFailure("source_missing");
  const { source, title } = referenced;
  const isTable = source.purpose !== "pages";
  return {
    sourceId: source.id as SourceId,
    title,
    mediaType: source.mediaType ?? "application/octet-stream",
    digest: (isTable ? (source.rowsDigest ?? source.digest) : source.digest) as Digest,
    bytes: Number(isTable ? source.rowsBytes : source.bytes),
    pages: source.pages,
    rows: source.rows,
  };
}

function sizeOf(manifest: Manifest): DeclaredSize {
  let pages = 0;
  let bytes = 0;
  for (const part of manifest.parts) {
    pages += part.type === "file" ? part.pages : 1;
    bytes += part.type === "file" ? part.bytes : 0;
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return { pages, bytes, rows };
}

function idsOf(found: ReadonlyMap<string, Referenced>): readonly string[] {
  return [...found.values()].map((referenced) => referenced.source.id);
}
