import { randomBytes } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DISK } from "@/server/adapters/archive/file-calls";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { storageKeys } from "@/server/adapters/encryption/storage-keys";
import type { Publication } from "@/server/domain/artifact";
import { type FailureCode, PacketFailure, refusalCode } from "@/server/domain/failure";
import { type Digest, digestOf, type SourceId, type SourceKey, sourceKey, type TenantId } from "@/server/domain/ids";
import { chooseLane, LANE } from "@/server/domain/lane";
import { type Manifest, manifestDigest, orderManifest } from "@/server/domain/manifest";
import { canonicalDigest } from "@/server/domain/request";
import { checkPayload } from "@/server/packets/check-payload";
import type { Letterhead, PacketKind, SourceFacts } from "@/server/packets/kind";
import type { Clock } from "@/server/ports/clock";
import type { RendererPools } from "./renderers";
import { SOURCE_LIMITS } from "./source-limits";
import { STAGES } from "./stages/index";
import type { Pulse, Tools } from "./tools";
import { noProducts, type Work } from "./work";
import { createWorkspaceBudget, openWorkspace } from "./workspace";

/** One source on disk, under the id that the payload names it by. */
export interface LocalSource {
  readonly sourceId: string;
  readonly title: string;
  readonly path: string;
  readonly isTable: boolean;
}

export interface Making {
  readonly kind: PacketKind;
  readonly payload: unknown;
  readonly audience: string;
  readonly sources: readonly LocalSource[];
  /** The day on which the payload is checked and dated, `YYYY-MM-DD`. */
  readonly today: string;
  readonly letterhead: Letterhead;
  readonly outputPath: string;
  readonly renderers: RendererPools;
  readonly clock: Clock;
  readonly rendererBuild: string;
}

export interface Made {
  readonly manifest: Manifest;
  readonly publication: Publication;
}

/** A source that cannot be used: which one (from 1, in the order given), why, and on which page. */
export class RefusedSource extends Error {
  override readonly name = "RefusedSource";
  constructor(
    readonly source: number,
    readonly code: FailureCode,
    readonly page: number | null,
  ) {
    super(code);
  }
}

const LIMITS = { packetBytesMax: 150 * 1024 * 1024, sourceBytesMax: 100 * 1024 * 1024 };
const TENANT = "ten_00000000000000000000000000000000" as TenantId;

/**
 * Makes a packet from files on disk by the very stages that a worker runs, without database or queue. The same input gives the same
 * bytes. Throws the stages' own failures, with the position of the part. [C238]
 */
export async function makePacket(making: Making): Promise<Made> {
  const root = await mkdtemp(join(tmpdir(), "bindery-"));
  try {
    return await makeIn(root, making);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function makeIn(root: string, making: Making): Promise<Made> {
  const { kind, clock } = making;
  const pulse: Pulse = { signal: new AbortController().signal, progress: () => undefined };
  const sources = new FilesystemArchive<SourceKey>(
    join(root, "sources"),
    DISK,
    storageKeys([["k1", randomBytes(32).toString("hex")]]),
  );
  await mkdir(join(root, "work"), { mode: 0o700 });
  const payload = checkPayload(kind, making.payload, making.today);
  const facts = new Map<string, SourceFacts>();
  for (const [index, source] of making.sources.entries()) {
    facts.set(source.sourceId, await takeIn(root, index, source, making, sources, pulse));
  }
  const manifest = orderManifest(kind.manifest(payload, making.audience, (id) => known(facts, id)));
  const size = {
    pages: manifest.parts.length,
    bytes: 0,
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
  };
  const workspace = await openWorkspace({
    root: join(root, "work"),
    marker: { jobId: "local", attempt: 1, eraseBy: clock.now() },
    budget: createWorkspaceBudget({ root, bytesMax: Number.MAX_SAFE_INTEGER }),
  });
  const work: Work = {
    jobId: "local",
    tenantId: TENANT,
    attempt: 1,
    kind,
    fidelity: "archival",
    pagesMax: null,
    audience: making.audience,
    lane: chooseLane("archival", size),
    renderMsMax: LANE[chooseLane("archival", size)].renderMsMax,
    // Whoever makes a packet by hand waits for it and stops it.
    msLeft: () => Number.MAX_SAFE_INTEGER,
    payload,
    manifest,
    accepted: { payload: canonicalDigest(payload), manifest: manifestDigest(manifest) },
    letterhead: making.letterhead,
    revision: {
      number: 1,
      shortId: canonicalDigest(payload).slice(7, 15),
      createdAt: new Date(`${making.today}T00:00:00Z`),
      preparedOn: making.today,
      nonce: canonicalDigest(payload).slice(7, 39),
    },
    strictSources: false,
    title: `${kind.title}: ${kind.subject(payload)}`,
    today: making.today,
    workspace,
    products: noProducts(),
  };
  const tools: Tools = { ...LIMITS, renderers: making.renderers, sources, clock, rendererBuild: making.rendererBuild };
  for (const stage of STAGES) await stage.run(work, tools, pulse);
  const { assembled, verified } = work.products;
  if (assembled === null || verified === null) throw new PacketFailure("internal");
  await copyFile(assembled.path, making.outputPath);
  return { manifest, publication: verified };
}

/** Inspects one file as an upload would be, and puts it where the stages fetch from. */
async function takeIn(
  root: string,
  index: number,
  source: LocalSource,
  making: Making,
  sources: FilesystemArchive<SourceKey>,
  pulse: Pulse,
): Promise<SourceFacts> {
  const id = `src_${index.toString(16).padStart(32, "0")}` as SourceId;
  const setting = {
    tenantId: TENANT,
    deadlineMs: LANE.archive.renderMsMax,
    signal: pulse.signal,
    onProgress: pulse.progress,
  };
  const { size: bytes } = await stat(source.path);
  const common = { sourceId: id, title: source.title };
  if (source.isTable) {
    const table = making.kind.tables[0]?.name ?? "";
    const outputPath = join(root, `rows-${index}.jsonl`);
    const answer = await making.renderers.ask(
      "inspect-table",
      { op: "inspect-table", path: source.path, kind: making.kind.name, table, outputPath },
      setting,
    );
    if (answer.result === "reject") throw new PacketFailure(refusalCode(answer.code));
    await sources.commit(sourceKey(id, "rows"), outputPath, answer.digest as Digest);
    return {
      ...common,
      mediaType: "text/csv",
      digest: answer.digest as Digest,
      bytes: answer.bytes,
      pages: 0,
      rows: answer.rows,
    };
  }
  const answer = await making.renderers.ask(
    "inspect",
    { op: "inspect", path: source.path, limits: { ...SOURCE_LIMITS, bytesMax: LIMITS.sourceBytesMax }, strict: false },
    setting,
  );
  if (answer.result === "reject") throw new RefusedSource(index + 1, refusalCode(answer.code), answer.page ?? null);
  const digest = digestOf(await readFile(source.path));
  await sources.commit(sourceKey(id, "bytes"), source.path, digest);
  return { ...common, mediaType: answer.type, digest, bytes, pages: answer.pages, rows: 0 };
}

function known(facts: ReadonlyMap<string, SourceFacts>, id: string): SourceFacts {
  const found = facts.get(id);
  if (found === undefined) throw new PacketFailure("source_missing");
  return found;
}
