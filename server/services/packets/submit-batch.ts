import type { Transaction } from "@/server/db/client";
import { moveSubmissions } from "@/server/db/dead-letters";
import { putSubmissions } from "@/server/db/jobs";
import { insertPayloads, insertRevisions, type NewRevision } from "@/server/db/revisions";
import { addressOf, findOrAddRecipients } from "@/server/db/users";
import { idOfActor, type TenantActor } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { type JobId, newId, type UserId } from "@/server/domain/ids";
import { chooseLane, weightOf } from "@/server/domain/lane";
import { eraseBy } from "@/server/domain/retention";
import type { Context } from "../context";
import {
  type AcceptedRequest,
  acceptRequests,
  type PacketRequest,
  type ReadRequest,
  readRequests,
} from "./accept-request";
import { type Ledger, type Operation, openLedger } from "./identify-operations";
import { type Load, measureLoad } from "./measure-load";
import { type AdmittedJob, openJobs } from "./open-job";

export type ItemResult =
  /** `replayed` where the same request was accepted before: this is that job. */
  | { readonly status: "accepted" | "replayed"; readonly jobId: JobId }
  | { readonly status: "refused"; readonly failure: PacketFailure };

export const BATCH_ITEMS_MAX = 1_000;
/** Items of one transaction: enough that statements are few, few enough that locks are short. */
const CHUNK_ITEMS = 100;

/**
 * Accepts many packets in one call: per item what submitting it alone would have answered, in the order given. Each stands or falls on its
 * own; two items about the same thing meet each other as if they had come one after another. Throws `batch_too_large`, and then nothing
 * was accepted. [C73,C82]
 */
export async function submitBatch(
  context: Context,
  actor: TenantActor,
  batch: { readonly items: readonly PacketRequest[]; readonly correlationId: string },
): Promise<ItemResult[]> {
  if (batch.items.length > BATCH_ITEMS_MAX) throw new PacketFailure("batch_too_large");
  const results: ItemResult[] = [];
  for (let from = 0; from < batch.items.length; from += CHUNK_ITEMS) {
    const items = batch.items.slice(from, from + CHUNK_ITEMS);
    results.push(...(await submitChunk(context, actor, items, batch.correlationId)));
  }
  return results;
}

/** One transaction for all; where that cannot be, one for each, so that none fails for another's sake. */
async function submitChunk(
  context: Context,
  actor: TenantActor,
  items: readonly PacketRequest[],
  correlationId: string,
): Promise<ItemResult[]> {
  try {
    return await context.db.transact(actor, (tx) => submitTogether(context, tx, actor, items, correlationId));
  } catch (error) {
    if (items.length === 1) {
      if (error instanceof PacketFailure) return [{ status: "refused", failure: error }];
      throw error;
    }
    const results: ItemResult[] = [];
    for (const item of items) results.push(...(await submitChunk(context, actor, [item], correlationId)));
    return results;
  }
}

interface Opened {
  readonly operation: Operation;
  readonly admitted: AdmittedJob;
  /** Null where the revision with this content exists already. */
  readonly revision: NewRevision | null;
}

async function submitTogether(
  context: Context,
  tx: Transaction,
  actor: TenantActor,
  items: readonly PacketRequest[],
  correlationId: string,
): Promise<ItemResult[]> {
  const now = context.clock.now();
  const read = await readRequests(tx, actor, items);
  const wanted = read.flatMap((request, index) =>
    request instanceof PacketFailure ? [] : [{ index, request, givenKey: items[index]?.idempotencyKey }],
  );
  const [first] = wanted;
  if (first === undefined) return read.map(refusalOf);
  const { tenant, tenantId } = first.request;
  const ledger = await openLedger(tx, tenantId, wanted, now);
  // What was accepted before stays accepted: its rules and sources are not looked at again, whatever became of them.
  const anew = wanted.filter(({ request, givenKey }) => isNew(ledger, request, givenKey));
  const checked = await acceptRequests(
    tx,
    anew.map(({ request }) => request),
    now,
  );
  const checkedAt = new Map(anew.map(({ index }, place) => [index, checked[place]]));
  const lanes = checked.flatMap((each) => (each instanceof PacketFailure ? [] : [chooseLane("archival", each.size)]));
  const load = await measureLoad(context, tx, tenant, { lanes, count: lanes.length });
  const opened: Opened[] = [];
  const results = read.map((request, index): ItemResult => {
    if (request instanceof PacketFailure) return refusalOf(request);
    try {
      const operation = ledger.identify(request, items[index]?.idempotencyKey);
      if (operation.existing !== null) {
        ledger.repeated(operation);
        return { status: "replayed", jobId: operation.existing };
      }
      const accepted = checkedAt.get(index);
      if (accepted === undefined) throw new RangeError("What is new was checked.");
      if (accepted instanceof PacketFailure) return refusalOf(accepted);
      const next = openingOf(accepted, operation, { actor, load, now, correlationId });
      ledger.opened(operation, {
        jobId: next.admitted.jobId,
        revisionId: next.revision?.id ?? operation.revisionId ?? mustHave(),
      });
      opened.push(next);
      return { status: "accepted", jobId: next.admitted.jobId };
    } catch (error) {
      return refusalOf(error);
    }
  });
  await write(context, tx, actor, opened, ledger);
  return results;
}

/** True where nothing stands for this request yet, or its key stands for something else, which is said when its turn comes. */
function isNew(ledger: Ledger, request: ReadRequest, givenKey: string | undefined): boolean {
  try {
    return ledger.identify(request, givenKey).existing === null;
  } catch (error) {
    if (error instanceof PacketFailure) return false;
    throw error;
  }
}

/** What is to be written for an operation that nothing stands for yet. Throws where it is too late or not admitted. */
function openingOf(
  request: AcceptedRequest,
  operation: Operation,
  how: { actor: TenantActor; load: Load; now: Date; correlationId: string },
): Opened {
  const { actor, load, now, correlationId } = how;
  const { kind, payload, size } = request;
  const finishBy = kind.finishBy(payload, now);
  if (finishBy.getTime() <= now.getTime()) throw new PacketFailure("finish_by_passed");
  const lane = chooseLane("archival", size);
  const weight = weightOf(size);
  const outstanding = load.take(lane, weight);
  const { identity, payloadDigest, revisionNumber: number, idempotencyKey, fingerprint } = operation;
  const payloadId = newId("payload");
  const createdBy = idOfActor(actor);
  const revision =
    operation.revisionId === null
      ? { ...identity, id: newId("revision"), number, payloadId, payloadDigest, createdBy, createdAt: now }
      : null;
  const opening = {
    fidelity: "archival" as const,
    idempotencyKey,
    fingerprint,
    payloadId,
    revisionId: revision?.id ?? operation.revisionId,
    redriveOf: operation.endedJob,
    correlationId,
    finishBy,
    eraseBy: eraseBy(now, kind.inputDays),
    readers: [],
  };
  return { operation, revision, admitted: { jobId: newId("job"), request, opening, lane, weight, outstanding } };
}

async function write(
  context: Context,
  tx: Transaction,
  actor: TenantActor,
  opened: readonly Opened[],
  ledger: Ledger,
): Promise<void> {
  const now = context.clock.now();
  await insertPayloads(
    tx,
    opened.map(({ operation, admitted: { request, opening } }) => ({
      id: opening.payloadId,
      tenantId: request.tenantId,
      content: request.payload as object,
      digest: operation.payloadDigest,
      createdAt: now,
      eraseBy: opening.eraseBy,
    })),
  );
  await insertRevisions(
    tx,
    opened.flatMap(({ revision }) => revision ?? []),
  );
  const readers = await readersOf(tx, opened, now);
  await openJobs(
    context,
    tx,
    actor,
    opened.map(({ admitted }) => ({ ...admitted, opening: { ...admitted.opening, readers: readers(admitted) } })),
  );
  // Every key that stood for a job without a result stands for the one that follows it, so that no second one ever follows.
  for (const { admitted } of opened) {
    const { redriveOf } = admitted.opening;
    if (redriveOf !== null) await moveSubmissions(tx, redriveOf, admitted.jobId);
  }
  await putSubmissions(tx, ledger.keys());
}

/** The people these packets are addressed to; who is new is added. */
async function readersOf(
  tx: Transaction,
  opened: readonly Opened[],
  now: Date,
): Promise<(admitted: AdmittedJob) => readonly UserId[]> {
  const recipientOf = ({ request }: AdmittedJob) => request.kind.recipient(request.payload);
  const recipients = opened.flatMap(({ admitted }) => recipientOf(admitted) ?? []);
  const [first] = opened;
  if (first === undefined || recipients.length === 0) return () => [];
  const users = await findOrAddRecipients(tx, first.admitted.request.tenantId, recipients, now);
  return (admitted) => {
    const recipient = recipientOf(admitted);
    const userId = recipient === null ? undefined : users.get(addressOf(recipient.email));
    return userId === undefined ? [] : [userId];
  };
}

function refusalOf(error: unknown): ItemResult {
  if (error instanceof PacketFailure) return { status: "refused", failure: error };
  throw error;
}

function mustHave(): never {
  throw new Error("An operation has a revision, or one is opened for it.");
}
