import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PersonActor, Reach } from "@/server/domain/access";
import { type ArtifactKey, type JobId, parseId, sourceKey, type TenantId } from "@/server/domain/ids";
import { addPerson, addTenant, openTestContext, type TestContext } from "@/server/services/test-context";
import { type JobRow, jobRow } from "@/server/services/test-requests";
import { pagesOfWidth } from "@/worker/test-packets";
import { openTestHost, openTestWorker, type TestHost, type TestWorker, type WorkerTools } from "@/worker/test-worker";
import { type Fault, faultIf } from "./fault";
import { type SmallPackets, smallPackets } from "./small-packets";

/** Web and worker in one process, on a real database and disk, with real children; time is moved by hand. */
export interface FaultScene {
  readonly databaseUrl: string;
  readonly host: TestHost;
  readonly context: TestContext;
  readonly worker: TestWorker;
  readonly actor: PersonActor & { readonly tenantId: TenantId; readonly reach: Reach };
  readonly packets: SmallPackets;
  /** A file of one page, to upload. */
  readonly page: Uint8Array;
  /** Delivers until the job is over, waiting out whatever it waits for. Throws where that takes more deliveries than attempts. */
  drain(jobId: JobId, changes?: Partial<WorkerTools>): Promise<JobRow>;
  /** Returns what is wrong with a job that must have ended in one artifact. */
  faultsOf(jobId: JobId): Promise<Fault[]>;
  /** Returns what lies in a store without a row that says so: nobody would ever erase it. */
  strays(store: StoreName): Promise<Fault[]>;
  close(): Promise<void>;
}

/** Sets the scene on a migrated database of its own. `childPath` is the bundled renderer. */
export async function openFaultScene(setup: {
  readonly databaseUrl: string;
  readonly childPath: string;
  readonly directory: string;
}): Promise<FaultScene> {
  const { databaseUrl, childPath } = setup;
  const host = await openTestHost(setup.directory);
  // Directories are judged by the instants that the file system gave them: this scene is set now.
  const context = await openTestContext(databaseUrl, host.stores, new Date());
  const worker = await openTestWorker({ databaseUrl, host, childPath, clock: context.clock });
  const actor = await addPerson(context, await addTenant(context));
  const packets = await smallPackets({ context, worker, actor });
  return {
    databaseUrl,
    host,
    context,
    worker,
    actor,
    packets,
    page: await pagesOfWidth(302),
    drain: (jobId, changes) => drain({ context, worker }, jobId, changes),
    faultsOf: (jobId) => faultsOf({ context, host }, jobId),
    strays: (store) => strays({ context, host }, store),
    close: async () => {
      await worker.close();
      await context.close();
      await host.remove();
    },
  };
}

const OVER = ["completed", "validation_failed", "dead_letter", "cancelled"];
const DELIVERIES_MAX = 12;

async function drain(
  { context, worker }: Pick<FaultScene, "context" | "worker">,
  jobId: JobId,
  changes: Partial<WorkerTools> = {},
): Promise<JobRow> {
  const { clock } = { ...context, ...changes };
  for (let delivery = 1; delivery <= DELIVERIES_MAX; delivery += 1) {
    const job = await jobRow(context, jobId);
    if (OVER.includes(job.state)) return job;
    const waitsUntil = Math.max(job.due_at.getTime(), (job.lease_until?.getTime() ?? 0) + 1);
    context.clock.advance(Math.max(0, waitsUntil - clock.now().getTime()));
    await worker.deliver(jobId, changes);
  }
  throw new Error("A job is not over after a dozen deliveries.");
}

async function faultsOf({ context, host }: Pick<FaultScene, "context" | "host">, jobId: JobId): Promise<Fault[]> {
  const job = await jobRow(context, jobId);
  const artifacts = await context.sql<{ archive_key: ArtifactKey; digest: string }>(
    "SELECT archive_key, digest FROM artifacts WHERE job_id = $1 OR revision_id = $2",
    [jobId, job.revision_id],
  );
  const faults = [
    ...faultIf(job.state !== "completed", "lost", `${jobId} ended as ${job.state} (${job.failure_code ?? "no code"})`),
    ...faultIf(artifacts.length === 0, "lost", `${jobId} has no artifact`),
    ...faultIf(artifacts.length > 1, "duplicated", `${jobId} has ${artifacts.length} artifacts`),
    ...faultIf((await host.leftovers()).length > 0, "unexpected", `a directory is left after ${jobId}`),
  ];
  for (const { archive_key, digest } of artifacts) {
    const held = await host.stores.archive.digestOf(archive_key);
    faults.push(...faultIf(held !== digest, "corrupt", `the bytes of ${jobId} are not those on record`));
  }
  for (const store of STORES) {
    await host.stores[store].sweepStaging(new Date("2200-01-01T00:00:00Z"));
    const left = await readdir(join(host.root, store, "staging")).catch(() => []);
    faults.push(...faultIf(left.length > 0, "unexpected", `${store} keeps part of a file after the sweep`));
  }
  return faults;
}

const STORES = ["archive", "previews", "sources", "staging"] as const;
export type StoreName = (typeof STORES)[number];

/** How the rows know what each store holds. */
const KNOWN: Record<StoreName, string> = {
  archive: "SELECT archive_key AS key FROM artifacts WHERE erased_at IS NULL",
  previews: "SELECT preview_key AS key FROM previews WHERE erased_at IS NULL",
  staging: "SELECT key FROM staged_files WHERE erased_at IS NULL",
  sources: "SELECT id AS key FROM sources WHERE erased_at IS NULL",
};

async function strays({ context, host }: Pick<FaultScene, "context" | "host">, store: StoreName): Promise<Fault[]> {
  const files = await readdir(join(host.root, store), { recursive: true }).catch(() => []);
  const rows = await context.sql<{ key: string }>(KNOWN[store]);
  const known = new Set(rows.flatMap(({ key }) => (store === "sources" ? uploadKeys(key) : [key])));
  return files
    .map((file) => basename(file))
    .filter((name) => /^[0-9a-f]{64}$/.test(name) && !known.has(name))
    .map((name) => ({ zero: "unexpected", what: `an object in ${store} that no row knows of: ${name}` }));
}

function uploadKeys(id: string): string[] {
  const sourceId = parseId("source", id);
  return sourceId === null ? [] : [sourceKey(sourceId, "bytes"), sourceKey(sourceId, "rows")];
}
