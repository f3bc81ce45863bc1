import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FilesystemArchive } from "@/server/adapters/archive/filesystem";
import { testEncryption } from "@/server/adapters/encryption/test-encryption";
import { PacketFailure } from "@/server/domain/failure";
import {
  type ArtifactKey,
  type JobId,
  type SourceId,
  type SourceKey,
  type StagedKey,
  sourceKey,
} from "@/server/domain/ids";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { addSource } from "@/server/services/test-context";
import { jobRow } from "@/server/services/test-requests";
import { inspectSource } from "@/worker/inspect-source";
import { eraseExpiredInputs } from "@/worker/maintenance/erase-expired-inputs";
import type { WorkerTools } from "@/worker/test-worker";
import { CALLS, CALLS_OF_A_COMMIT, type CallName, ERRORS, type FailingCalls, failingCalls } from "./failing-calls";
import { type Fault, faultIf } from "./fault";
import { between, pick, type Random } from "./random-choice";
import type { FaultScene } from "./scene";
import { SMALL_KINDS, type SmallKind } from "./small-packets";

/** Where a file call can be refused, and which of the calls are made there. */
const PLACES = {
  upload: CALLS,
  inspection: ["open"],
  fetch: ["open"],
  "stage-write": CALLS,
  resume: ["open"],
  publish: CALLS,
  erase: ["unlink", "fsync_directory"],
} as const satisfies Record<string, readonly CallName[]>;
export type Place = keyof typeof PLACES;
const COMMITTING: readonly string[] = ["upload", "stage-write", "publish"] satisfies Place[];

const COMBINATIONS = Object.entries(PLACES).map(([place, calls]) =>
  calls.flatMap((call) => ERRORS.map((error) => ({ place, call, error }))),
);

export interface FileError {
  readonly place: Place;
  readonly call: CallName;
  readonly error: string;
  /** False where the work came to its end without making the call. */
  readonly wasRefused: boolean;
  readonly faults: readonly Fault[];
}

/**
 * Lets the operating system refuse one file call at one place of a packet's life: a coded failure that may pass, or none, no residue, and
 * a later attempt ends it. `turn` goes round the places, and each time round to another call and error there, so that a run of any size
 * spreads over all of them.
 */
export async function refuseFileCall(scene: FaultScene, random: Random, turn: number): Promise<FileError> {
  const there = COMBINATIONS[turn % COMBINATIONS.length] ?? never();
  // A step that is no factor of any of their numbers: neighbours differ in call and error.
  const round = Math.floor(turn / COMBINATIONS.length);
  const { place, call, error } = there[(round * 11) % there.length] ?? never();
  const most = COMMITTING.includes(place) ? CALLS_OF_A_COMMIT[call] : 1;
  // The last of them is the most telling: what it was about has been done.
  const nth = random() < 0.5 ? most : between(random, 1, most);
  const failing = failingCalls({ call, error, nth, goesOn: random() < 0.3 });
  const faults = await TRIALS[place as Place](scene, failing, random);
  if (place === "upload") faults.push(...(await scene.strays("sources")));
  return { place: place as Place, call, error, wasRefused: failing.refused > 0, faults };
}

type Trial = (scene: FaultScene, failing: FailingCalls, random: Random) => Promise<Fault[]>;

/** What is done at each place with calls that fail, and what was wrong afterwards. */
export const TRIALS: Readonly<Record<Place, Trial>> = {
  upload: async (scene, failing) => {
    const { context, actor } = scene;
    const upload = (changes: object) =>
      receiveUpload({ ...context, ...changes }, actor, {
        bytes: bytesOf(scene.page),
        declaredBytes: null,
        title: "paper.pdf",
        purpose: "pages",
        correlationId: "cor-fault",
      });
    const faults: Fault[] = [];
    const sources = new FilesystemArchive<SourceKey>(join(scene.host.root, "sources"), failing.calls, testEncryption);
    const outcome = await upload({ sources }).catch((error: unknown) => error);
    if (!("sourceId" in Object(outcome))) faults.push(...notCoded(outcome));
    const { sourceId } = await upload({});
    await scene.worker.inspect(sourceId);
    const received = await readdir(context.incomingDirectory);
    return [...faults, ...faultIf(received.length > 0, "unexpected", "a received file is left")];
  },
  inspection: async (scene, failing) => {
    const { context, actor, worker, host } = scene;
    const sourceId = await addSource(context, actor.tenantId, { bytes: scene.page, state: "inspecting" });
    const sources = new FilesystemArchive<SourceKey>(join(host.root, "sources"), failing.calls, testEncryption);
    await inspectSource(sourceId, { ...worker.tools, sources });
    const isPatient = failing.refused === 0 || (await isIn(scene, sourceId, "inspecting"));
    await worker.inspect(sourceId);
    return [
      ...faultIf(!isPatient, "unexpected", `${sourceId} was judged though it could not be read`),
      ...faultIf(!(await isIn(scene, sourceId, "accepted")), "lost", `${sourceId} was not inspected in the end`),
    ];
  },
  fetch: (scene, failing, random) =>
    throughAttempts(scene, pick(random, ["board-book", "depot-report"]), {
      sources: new FilesystemArchive<SourceKey>(join(scene.host.root, "sources"), failing.calls, testEncryption),
    }),
  "stage-write": (scene, failing, random) =>
    throughAttempts(scene, pick(random, SMALL_KINDS), {
      stageMsMin: 0,
      staging: new FilesystemArchive<StagedKey>(join(scene.host.root, "staging"), failing.calls, testEncryption),
    }),
  resume: async (scene, failing, random) => {
    const kind = pick(random, SMALL_KINDS);
    const jobId = await scene.packets.next(kind);
    await scene.worker.deliver(jobId, { stageMsMin: 0, ...losingTheRenderer(scene, "assemble") });
    const staging = new FilesystemArchive<StagedKey>(join(scene.host.root, "staging"), failing.calls, testEncryption);
    return afterOneAttempt(scene, jobId, { staging });
  },
  publish: (scene, failing, random) =>
    throughAttempts(scene, pick(random, SMALL_KINDS), {
      archive: new FilesystemArchive<ArtifactKey>(join(scene.host.root, "archive"), failing.calls, testEncryption),
    }),
  erase: async (scene, failing) => {
    const { context, actor, worker, host } = scene;
    const eraseBy = context.clock.now();
    const sourceId = await addSource(context, actor.tenantId, { eraseBy });
    const sources = new FilesystemArchive<SourceKey>(join(host.root, "sources"), failing.calls, testEncryption);
    const { failed } = await eraseExpiredInputs({ ...worker.tools, sources });
    await eraseExpiredInputs(worker.tools);
    const held = await host.stores.sources.stat(sourceKey(sourceId, "bytes"));
    const [row] = await context.sql("SELECT erased_at FROM sources WHERE id = $1", [sourceId]);
    return [
      ...faultIf(failing.refused > 0 && failed === 0, "unexpected", "an erasure that failed was not counted"),
      ...faultIf(held !== null, "overdue", `the bytes of ${sourceId}`),
      ...faultIf(row?.erased_at === null, "overdue", `${sourceId} on record`),
    ];
  },
};

/** One attempt under these tools, then as many others as it takes. */
async function throughAttempts(scene: FaultScene, kind: SmallKind, changes: Partial<WorkerTools>): Promise<Fault[]> {
  return afterOneAttempt(scene, await scene.packets.next(kind), changes);
}

async function afterOneAttempt(scene: FaultScene, jobId: JobId, changes: Partial<WorkerTools>): Promise<Fault[]> {
  const { context, worker, host } = scene;
  const before = await jobRow(context, jobId);
  context.clock.advance(Math.max(0, before.due_at.getTime() - context.clock.now().getTime()));
  await worker.deliver(jobId, changes);
  const { state, failure_code } = await jobRow(context, jobId);
  const isCoded = state === "retry_wait" && failure_code === "storage_unavailable";
  const faults = [
    ...faultIf(state !== "completed" && !isCoded, "unexpected", `${jobId} went to ${state} (${failure_code})`),
    ...faultIf((await host.leftovers()).length > 0, "unexpected", `a directory is left after an attempt at ${jobId}`),
  ];
  await scene.drain(jobId);
  return [...faults, ...(await scene.faultsOf(jobId))];
}

/** Tools whose renderer is lost when it is asked for `op`: the attempt ends there and may be repeated. */
export function losingTheRenderer({ worker }: FaultScene, op: string): Partial<WorkerTools> {
  return {
    renderers: {
      ask: async (asked, request, setting) => {
        if (asked === op) throw new PacketFailure("renderer_lost");
        return worker.tools.renderers.ask(asked, request, setting);
      },
    },
  };
}

async function isIn({ context }: FaultScene, sourceId: SourceId, state: string): Promise<boolean> {
  const [row] = await context.sql("SELECT state FROM sources WHERE id = $1", [sourceId]);
  return row?.state === state;
}

function notCoded(error: unknown): Fault[] {
  const isCoded = error instanceof PacketFailure && error.code === "storage_unavailable";
  return faultIf(!isCoded, "unexpected", "a refused call is no coded failure");
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function never(): never {
  throw new RangeError("There are no combinations.");
}
