// @ts-check
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildAll } from "./build.mjs";
import { endAllChildren, outputOf, runQuietly } from "./child-process.mjs";
import { readEnvironment } from "./environment.mjs";
import { ROOT } from "./install.mjs";
import { migrate } from "./migrate.mjs";
import { PlainError, printFailure } from "./plain-error.mjs";
import { ensureDatabase, startPostgres } from "./postgres.mjs";
import { withProgress } from "./progress.mjs";
import { startService } from "./services.mjs";

// The second half of `npm start`, under the pinned Node: database, build, migrations, seed, web and worker, until told to stop.

/** @typedef {import("./environment.mjs").Environment} Environment */
/** @typedef {{ who: string, email: string, password: string }} SignIn */

const READY_MS_MAX = 90_000;

/** @type {import("./postgres.mjs").Postgres | null} */
let postgres = null;
/** @type {import("./services.mjs").Service[]} */
const services = [];
/** @type {Promise<void> | null} */
let stopping = null;
let firstInterruptAt = 0;

process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
process.on("SIGTERM", () => void stop({ force: false, exitCode: 0 }));
process.on("SIGHUP", () => void stop({ force: false, exitCode: 0 }));
process.on("SIGINT", () => {
  // A second Ctrl-C means now. One Ctrl-C can arrive twice within moments, from the terminal and from npm.
  const force = firstInterruptAt > 0 && Date.now() - firstInterruptAt > 300;
  firstInterruptAt ||= Date.now();
  void stop({ force, exitCode: 0 });
});

try {
  await run(await readEnvironment());
} catch (error) {
  if (!stopping) {
    printFailure(error);
    await stop({ force: false, exitCode: 1 });
  }
}

/** @param {Environment} environment */
async function run(environment) {
  const databaseUrl = environment.databaseUrl ?? (await embeddedDatabase(environment.dataFolder));
  const env = { ...environment.variables, DATABASE_URL: databaseUrl };
  const applied = await migrate({ url: databaseUrl, folder: join(ROOT, "prisma/migrations") });
  if (applied.length > 0) console.log(`Migrated the database (${applied.length} new).`);
  await buildAll();
  await runQuietly([".build/scripts/commands/install-queues.js"], env);
  const signIns =
    applied.length > 0 ? await withProgress("Filling in the demonstration…", () => seed(env)) : await seed(env);
  await startServices(environment, env);

  console.log(`Bindery is ready at ${environment.url}`);
  for (const { who, email, password } of signIns)
    console.log(`  ${who.padEnd(longest(signIns))}  ${email}  ${password}`);
  process.send?.({ type: "ready", url: environment.url, databaseUrl, signIns });
  await Promise.race(services.map(({ failed }) => failed));
}

/** @param {string} dataFolder */
async function embeddedDatabase(dataFolder) {
  const wanted = join(dataFolder, "postgres");
  const started = await startPostgres({
    dataFolder: wanted,
    making: (work) => withProgress("Making the database…", work),
  });
  postgres = started;
  if (started.dataFolder !== wanted)
    console.log(`The database is kept in ${started.dataFolder}, which its account may enter.`);
  started.exited.then(() => {
    if (stopping) return;
    console.error("The database ended unexpectedly, so Bindery stops.");
    void stop({ force: false, exitCode: 1 });
  });
  await ensureDatabase(started, "bindery");
  return started.url("bindery");
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<SignIn[]>} */
async function seed(env) {
  if (process.env.BINDERY_SEED === "none") return [];
  const answer = (await outputOf([".build/prisma/seed.js"], env)).trim().split("\n").at(-1) ?? "";
  try {
    return JSON.parse(answer).signIns;
  } catch (cause) {
    throw new PlainError("The seed did not answer with the demo sign-ins.", { cause });
  }
}

/** @param {Environment} environment @param {NodeJS.ProcessEnv} env */
async function startServices({ port, dataFolder }, env) {
  /** @type {(value?: unknown) => void} */
  let workerReady = () => {};
  const untilWorkerReady = new Promise((resolve) => {
    workerReady = resolve;
  });
  const web = startService({
    name: "web process",
    args: ["node_modules/next/dist/bin/next", "start", "-p", String(port)],
    env,
    logFile: join(dataFolder, "logs/web.log"),
  });
  services.push(web);
  const worker = startService({
    name: "worker",
    args: ["--enable-source-maps", ".build/worker/main.js"],
    env,
    logFile: join(dataFolder, "logs/worker.log"),
    onMessage: (message) => {
      if (isReady(message)) workerReady();
      if (isArchived(message))
        console.log(`Archived ${message.kind}, ${message.pages} ${message.pages === 1 ? "page" : "pages"}.`);
    },
  });
  services.push(worker);
  const late = wait(READY_MS_MAX, undefined, { ref: false }).then(() => {
    throw new PlainError(
      `Web and worker were not ready after ${READY_MS_MAX / 1000} s: see ${join(dataFolder, "logs")}.`,
    );
  });
  const ready = Promise.all([untilWorkerReady.then(worker.markReady), untilAnswering(port).then(web.markReady)]);
  await Promise.race([ready, web.failed, worker.failed, late]);
}

/** @param {number} port */
async function untilAnswering(port) {
  while (!stopping) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => null,
    );
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await wait(100);
  }
}

/** @param {{ force: boolean, exitCode: number }} how */
function stop({ force, exitCode }) {
  if (force) for (const service of services) void service.stop({ force: true });
  stopping ??= (async () => {
    process.exitCode = exitCode;
    setTimeout(() => console.log("Stopping… (Ctrl-C again to stop at once)"), 1_000).unref();
    await Promise.all(services.map((service) => service.stop({ force })));
    await endAllChildren();
    // Last, because a draining worker still writes to it.
    await postgres?.stop();
    process.exit();
  })();
  return stopping;
}

/** @param {SignIn[]} signIns */
function longest(signIns) {
  return Math.max(0, ...signIns.map(({ who }) => who.length));
}

/** @param {unknown} message */
function isReady(message) {
  return typeof message === "object" && message !== null && "type" in message && message.type === "ready";
}

/** @param {unknown} message @returns {message is { type: "archived", kind: string, pages: number }} */
function isArchived(message) {
  return typeof message === "object" && message !== null && "type" in message && message.type === "archived";
}
