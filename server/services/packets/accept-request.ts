import type { Transaction } from "@/server/db/client";
import { findLibraryDocuments, findSources, type SourceRow } from "@/server/db/sources";
import { findTenant } from "@/server/db/tenants";
import { isWithin, mayAct, type Reach, type TenantActor } from "@/server/domain/access";
import { type Finding, PacketFailure } from "@/server/domain/failure";
import { type Digest, parseId, type SourceId, type TenantId } from "@/server/domain/ids";
import type { DeclaredSize } from "@/server/domain/lane";
import { type Manifest, orderManifest } from "@/server/domain/manifest";
import { applyRules, dayIn, parsePayload, refusalFor } from "@/server/packets/check-payload";
import { UNVERSIONED } from "@/server/packets/fields";
import type { PacketKind, SourceFacts, SourceReference } from "@/server/packets/kind";
import { findKind } from "@/server/packets/registry";

/** What a header can carry: visible characters and spaces of ASCII. */
const IDEMPOTENCY_KEY = /^[ -~]{1,255}$/;

export interface PacketRequest {
  readonly kind: string;
  readonly audience?: string | undefined;
  readonly payload: unknown;
  /** The caller's name for this operation. A form leaves it out: one is derived from what it is about and which revision it makes. */
  readonly idempotencyKey?: string | undefined;
}

/** A request as it is understood: enough to know whether it was made before. */
export interface ReadRequest {
  readonly tenantId: TenantId;
  readonly tenant: NonNullable<Awaited<ReturnType<typeof findTenant>>>;
  readonly kind: PacketKind;
  readonly audience: string;
  /** Normalised by the schema; the only content that is ever rendered. [C119] */
  readonly payload: unknown;
}

/** A request that passed every cheap check: what submit and preview go on with. */
export interface AcceptedRequest extends ReadRequest {
  readonly manifest: Manifest;
  readonly size: DeclaredSize;
  readonly sourceIds: readonly string[];
}

/**
 * Reads requests without doing anything costly: may this actor submit them, and does each fit its kind's schema. Returns what each means,
 * or the coded failure with the findings beside their fields; nothing is written. [C52,C83,C89,C115]
 */
export async function readRequests(
  tx: Transaction,
  actor: TenantActor,
  requests: readonly PacketRequest[],
): Promise<(ReadRequest | PacketFailure)[]> {
  if (!mayAct(actor, "submit")) return requests.map(() => new PacketFailure("not_found"));
  const { tenantId, reach } = actor;
  const tenant = await findTenant(tx, tenantId);
  if (tenant === null) return requests.map(() => new PacketFailure("not_found"));
  return requests.map((request) =>
    failureOr(() => {
      const { idempotencyKey } = request;
      if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
        throw new PacketFailure("invalid_request");
      const kind = kindOf(tenant, request.kind);
      const audience = audienceOf(kind, request.audience);
      const payload = parsePayload(kind, request.payload);
      refuseForeignScope(reach, kind, payload);
      return { tenantId, tenant, kind, audience, payload };
    }),
  );
}

/**
 * Checks what is to be made anew: the kind's rules as of today, and every source, which must be the tenant's own and ready. Requests of
 * one tenant. [C60,C99]
 */
export async function acceptRequests(
  tx: Transaction,
  requests: readonly ReadRequest[],
  now: Date,
): Promise<(AcceptedRequest | PacketFailure)[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const found = await findReferenced(
    tx,
    first.tenantId,
    requests.flatMap(({ kind, payload }) => kind.sources(payload)),
  );
  return requests.map((request) =>
    failureOr(() => {
      const { tenant, kind, audience, payload } = request;
      applyRules(kind, payload, dayIn(tenant.timeZone, now));
      const references = kind.sources(payload);
      const findings = references.flatMap((reference) => judge(kind, reference, found.get(reference.sourceId)));
      if (findings.length > 0) throw refusalFor(findings);
      const manifest = orderManifest(kind.manifest(payload, audience, (sourceId) => factsOf(found, sourceId)));
      const sourceIds = references.flatMap(({ sourceId }) => found.get(sourceId)?.source.id ?? []);
      return { ...request, manifest, size: sizeOf(manifest), sourceIds };
    }),
  );
}

/** Reads and checks one request. Throws its failure. */
export async function acceptRequest(
  tx: Transaction,
  actor: TenantActor,
  request: PacketRequest,
  now: Date,
): Promise<AcceptedRequest> {
  const [read] = await readRequests(tx, actor, [request]);
  if (read instanceof PacketFailure) throw read;
  const [accepted] = read === undefined ? [] : await acceptRequests(tx, [read], now);
  if (accepted === undefined) throw new RangeError("One request has one answer.");
  if (accepted instanceof PacketFailure) throw accepted;
  return accepted;
}

/** Returns what `check` returns, or the expected failure that it throws. */
function failureOr<Result>(check: () => Result): Result | PacketFailure {
  try {
    return check();
  } catch (error) {
    if (error instanceof PacketFailure) return error;
    throw error;
  }
}

function kindOf(tenant: AcceptedRequest["tenant"], name: string): PacketKind {
  const kind = findKind(name);
  const isOffered = tenant.kinds.length === 0 || tenant.kinds.includes(name);
  if (kind === null || !isOffered) throw new PacketFailure("unknown_kind");
  return kind;
}

function audienceOf(kind: PacketKind, given: string | undefined): string {
  const audience = given ?? kind.audiences[0];
  if (kind.audiences.includes(audience)) return audience;
  throw new PacketFailure("payload_invalid", {
    findings: [{ path: ["audience"], code: "unknown_audience", message: "Choose one of the audiences." }],
  });
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
  references: readonly SourceReference[],
): Promise<ReadonlyMap<string, Referenced>> {
  const ids = [...new Set(references.map((reference) => reference.sourceId))];
  if (ids.length === 0) return new Map();
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
  return found;
}

function judge(kind: PacketKind, reference: SourceReference, found: Referenced | undefined): Finding[] {
  const finding = (code: string, message: string): Finding[] => [{ path: reference.path, code, message }];
  if (found === undefined) {
    // A name, an address or "the latest" may mean other bytes tomorrow: only an upload means these bytes for ever.
    if (!isFixed(reference.sourceId)) return finding("source_unversioned", UNVERSIONED);
    return finding("source_missing", "This file is not here any more. Upload it again.");
  }
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

function isFixed(sourceId: string): boolean {
  return parseId("source", sourceId) !== null || parseId("library", sourceId) !== null;
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
