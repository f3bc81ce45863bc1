import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@/server/adapters/clock/system";
import type { JobId } from "@/server/domain/ids";
import { hashPassword } from "@/server/services/accounts/password";
import { sweepIncoming } from "@/server/services/sources/sweep-incoming";
import { addPerson } from "@/server/services/test-context";
import { pagesOfWidth } from "@/worker/test-packets";
import { judge, judgeAtTheEnd } from "./checker";
import { type DatabaseProxy, openDatabaseProxy } from "./database-proxy";
import { exitCodeOf } from "./exit-code";
import { buildWithFaults } from "./fault-build";
import type { FaultClass } from "./fault-class";
import { KINDS, type KindName } from "./packets";
import { openProcessScene, type ProcessScene } from "./process-scene";
import { projectRoot } from "./project-root";
import { dealt } from "./shuffled";
import { signIn, type WebClient } from "./web-client";
import { startWeb, type WebProcess } from "./web-process";

const MOMENTS = ["after the commit, before the answer", "in the middle of an upload"] as const;
const CYCLE = 10;
const PERSON = { email: "faults@example.org", password: "a password for the faults" };

/**
 * kill -9 of the web process right after a submission was committed and before anybody was told, or in the middle of an upload. The client
 * asks another process for the same, and gets the one job. [C37]
 */
export const webKills: FaultClass = {
  name: "web-kill",
  ciCount: 30,
  campaignCount: 300,
  mustHit: MOMENTS.map((moment) => `web killed ${moment}`),
  run: async (run) => {
    await builtPages();
    const build = await buildWithFaults(`web-${process.pid}`);
    const database = await run.newDatabase();
    const port = () => Number(new URL(database.url()).port);
    const proxy = await openDatabaseProxy(port, run.random);
    const scene = await openProcessScene(run, { build, url: database.url });
    const webs = new WebPair(() => startWeb(proxy.url(database.url()), scene.host.root), scene);
    try {
      await scene.startWorker({ host: "one" });
      await scene.prepare();
      const passwordHash = await hashPassword(PERSON.password);
      await addPerson(scene.context, scene.actor.tenantId, { email: PERSON.email, passwordHash });
      await webs.open();
      const client = await signIn((await webs.first()).url, PERSON.email, PERSON.password);
      const seen = new Set<string>();
      const moments = dealt(run.random, MOMENTS, run.count);
      let faults = 0;
      while (moments.length > 0 && !run.signal.aborted) {
        for (const moment of moments.splice(0, CYCLE)) {
          const kind = KINDS[faults % KINDS.length] ?? "monthly-report";
          if (moment === MOMENTS[0]) await killAfterCommit({ scene, proxy, webs, client }, kind);
          else await killMidUpload({ scene, webs, client });
          faults += 1;
          run.record(moment);
          run.sometimes(`web killed ${moment}`);
        }
        await (moments.length > 0 ? judge(scene, { seen }) : judgeAtTheEnd(scene, { seen }));
      }
    } finally {
      await webs.close();
      await scene.close();
      await proxy.close();
      await database.drop();
      await build.remove();
    }
  },
};

/** One process that is to die and one to ask afterwards; whoever died is replaced while the other serves. */
class WebPair {
  readonly #start: () => Promise<WebProcess>;
  readonly #scene: ProcessScene;
  #running: WebProcess[] = [];

  constructor(start: () => Promise<WebProcess>, scene: ProcessScene) {
    this.#start = start;
    this.#scene = scene;
  }

  async open(): Promise<void> {
    while (this.#running.length < 2) {
      const web = await this.#start();
      this.#scene.texts.push(() => web.output.text());
      this.#running.push(web);
    }
  }

  async first(): Promise<WebProcess> {
    const [web] = this.#running;
    if (web === undefined) throw new Error("There is no web process.");
    await web.ready;
    return web;
  }

  /** The first is dead: the second takes its place, and another starts. */
  async replace(): Promise<void> {
    const [dead] = this.#running.splice(0, 1);
    await dead?.exited;
    await this.open();
  }

  async close(): Promise<void> {
    for (const web of this.#running) web.kill();
    await Promise.all(this.#running.map((web) => web.exited));
  }
}

async function killAfterCommit(
  { scene, proxy, webs, client }: { scene: ProcessScene; proxy: DatabaseProxy; webs: WebPair; client: WebClient },
  kind: KindName,
): Promise<void> {
  const { run } = scene;
  const { submission, widths } = scene.newRequest(kind);
  const doomed = await webs.first();
  const cut = proxy.cutAfterCommit({ of: /INSERT INTO "public"."submissions"/, onCut: () => doomed.kill() });
  const answer = await client.submit(doomed.url, submission).catch(() => null);
  if (answer !== null) throw new Error("A web process answered that should have died.");
  await cut;
  await webs.replace();
  const { jobId, replayed } = await client.submit((await webs.first()).url, submission);
  if (!replayed) run.violation("duplicated", `${jobId}: opened though the first submission was committed`);
  await scene.acknowledge({ jobId: jobId as JobId, kind, submission, widths });
  run.recovered();
}

async function killMidUpload({
  scene,
  webs,
  client,
}: {
  scene: ProcessScene;
  webs: WebPair;
  client: WebClient;
}): Promise<void> {
  const { run, sql, context } = scene;
  const bytes = await pagesOfWidth(310, 200 + Math.floor(run.random() * 100));
  const count = async () => Number((await sql<{ count: string }>("SELECT count(*) FROM sources"))[0]?.count);
  const before = await count();
  const doomed = await webs.first();
  const id = await client.upload(doomed.url, bytes, () => doomed.kill()).catch(() => null);
  if (id !== null) run.violation("unexpected", "half an upload was taken for a whole one");
  await webs.replace();
  if ((await count()) !== before) run.violation("unexpected", "half an upload left a row");
  const again = await client.upload((await webs.first()).url, bytes);
  const [row] = await sql<{ bytes: string }>("SELECT bytes FROM sources WHERE id = $1", [again]);
  if (Number(row?.bytes) !== bytes.byteLength) run.violation("corrupt", `${again}: an upload has another length`);
  // As a web process does when it starts, an hour later.
  await sweepIncoming(context.incomingDirectory, new Date(systemClock.now().getTime() + 60_000));
  const left = await readdir(context.incomingDirectory).catch(() => []);
  if (left.length > 0) run.violation("overdue", `${left.length} half uploads outlived the sweep`);
  run.recovered();
}

/** Makes the pages where they were never built. */
async function builtPages(): Promise<void> {
  const root = projectRoot();
  if (existsSync(join(root, ".next/BUILD_ID"))) return;
  const code = await exitCodeOf(process.execPath, [join(root, "scripts/validate.mjs"), "build"]);
  if (code !== 0) throw new Error("The pages could not be built: see npm run build.");
}
