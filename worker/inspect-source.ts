import type { Database } from "@/server/db/client";
import { claimInspection, forgiveTry, recordInspection } from "@/server/db/sources";
import { type FailureCode, PacketFailure, refusalCode } from "@/server/domain/failure";
import { type Digest, type SourceId, type SourceKey, sourceKey, type TenantId } from "@/server/domain/ids";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import type { Log } from "@/server/telemetry/log";
import { WORKER } from "./journal";
import { SOURCE_LIMITS } from "./source-limits";
import { copyChecked } from "./stages/copy-checked";
import type { Renderers } from "./tools";
import { openWorkspace, type Workspace, type WorkspaceBudget } from "./workspace";

export interface InspectionTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly renderers: Renderers;
  readonly sources: Archive<SourceKey>;
  readonly log: Log;
  readonly workspaceDirectory: string;
  readonly workspaceBudget: WorkspaceBudget;
  readonly sourceBytesMax: number;
  readonly stop: AbortSignal;
}

const INSPECTION_MS_MAX = 60_000;
/** A file that a worker did not survive this often is refused for what it is. */
const TRIES_MAX = 3;

type Verdict = Parameters<typeof recordInspection>[2];

/** Finds out what an upload is and whether it can be used, in a renderer process, and writes it on the source. Safe to run twice. */
export async function inspectSource(sourceId: SourceId, tools: InspectionTools): Promise<void> {
  const source = await tools.db.transact(WORKER, (tx) => claimInspection(tx, sourceId));
  if (source === null) return;
  const from = tools.clock.monotonicMs();
  const verdict = await verdictOf(source, tools);
  if (verdict === null) return;
  await tools.db.transact(WORKER, (tx) => recordInspection(tx, sourceId, verdict, tools.clock.now()));
  tools.log.info({
    event: "source_inspected",
    sourceId,
    outcome: verdict.state,
    ...(verdict.failureCode === null ? {} : { code: verdict.failureCode }),
    pages: verdict.pages,
    rows: verdict.rows,
    ms: Math.round(tools.clock.monotonicMs() - from),
  });
}

/** Returns the verdict, or null where trouble of ours stands in the way: then the file waits to be inspected again. */
async function verdictOf(source: Claimed, tools: InspectionTools): Promise<Verdict | null> {
  if (source.tries > TRIES_MAX) return refused("source_exhausts_limits");
  try {
    return await judge(source, tools);
  } catch (error) {
    const code = error instanceof PacketFailure ? error.code : "internal";
    if (code.startsWith("source_") || code === "table_invalid") return refused(code);
    const sourceId = source.id as SourceId;
    tools.log.warn({ event: "inspection_failed", sourceId, attempt: source.tries, code });
    if (OURS.has(code) || tools.stop.aborted) await tools.db.transact(WORKER, (tx) => forgiveTry(tx, sourceId));
    return null;
  }
}

/** What no file can bring about. Everything else counts as a try, so that no file is inspected for ever. */
const OURS: ReadonlySet<FailureCode> = new Set([
  "workspace_full",
  "workspace_failed",
  "storage_unavailable",
  "renderer_busy",
]);

type Claimed = NonNullable<Awaited<ReturnType<typeof claimInspection>>>;

async function judge(source: Claimed, tools: InspectionTools): Promise<Verdict> {
  const workspace = await openWorkspace({
    root: tools.workspaceDirectory,
    marker: { jobId: source.id, attempt: source.tries, eraseBy: source.eraseBy },
    budget: tools.workspaceBudget,
  });
  try {
    const path = workspace.path("received.bin");
    const key = sourceKey(source.id as SourceId, "bytes");
    const pulse = { signal: tools.stop, progress: () => undefined };
    await copyChecked(tools.sources, key, path, source.digest as Digest, tools.sourceBytesMax, pulse);
    return source.purpose === "pages"
      ? await judgePages(source, path, tools)
      : await judgeTable(source, path, workspace, tools);
  } finally {
    await workspace.erase();
  }
}

async function judgePages(source: Claimed, path: string, tools: InspectionTools): Promise<Verdict> {
  const answer = await tools.renderers.ask(
    "inspect",
    {
      op: "inspect",
      path,
      limits: { ...SOURCE_LIMITS, bytesMax: tools.sourceBytesMax },
      strict: source.tenant.strictSources,
    },
    settingFor(source, tools),
  );
  if (answer.result === "reject") return { ...refused(refusalCode(answer.code)), failurePage: answer.page ?? null };
  return {
    ...ACCEPTED,
    mediaType: answer.type,
    pages: answer.pages,
    sizes: answer.sizes,
    disclosures: answer.disclosures,
  };
}

async function judgeTable(
  source: Claimed,
  path: string,
  workspace: Workspace,
  tools: InspectionTools,
): Promise<Verdict> {
  const [kind = "", table = ""] = source.purpose.split("/");
  const outputPath = workspace.path("rows.jsonl");
  const answer = await tools.renderers.ask(
    "inspect-table",
    { op: "inspect-table", path, kind, table, outputPath },
    settingFor(source, tools),
  );
  if (answer.result === "reject") return { ...refused(refusalCode(answer.code)), findings: answer.findings };
  await tools.sources.commit(sourceKey(source.id as SourceId, "rows"), outputPath, answer.digest as Digest);
  return {
    ...ACCEPTED,
    mediaType: "text/csv",
    rows: answer.rows,
    rowsDigest: answer.digest,
    rowsBytes: answer.bytes,
  };
}

function settingFor(source: Claimed, tools: InspectionTools) {
  return {
    tenantId: source.tenantId as TenantId,
    deadlineMs: INSPECTION_MS_MAX,
    signal: tools.stop,
    onProgress: () => undefined,
  };
}

const ACCEPTED: Verdict = {
  state: "accepted",
  failureCode: null,
  failurePage: null,
  mediaType: null,
  pages: 0,
  rows: 0,
  rowsDigest: null,
  rowsBytes: 0,
  sizes: [],
  disclosures: [],
  findings: [],
};

function refused(code: string): Verdict {
  return { ...ACCEPTED, state: "refused", failureCode: code };
}
