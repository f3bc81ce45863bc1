import type { JobId } from "@/server/domain/ids";
import { boardBook } from "@/server/packets/board-book";
import { dayIn } from "@/server/packets/check-payload";
import { depotReport } from "@/server/packets/depot-report";
import { depotSample } from "@/server/packets/depot-report/sample";
import type { PacketKind } from "@/server/packets/kind";
import { monthlyReport } from "@/server/packets/monthly-report";
import type { Submission } from "@/server/services/packets/submit-packet";
import { newPacket, submitted } from "@/server/services/test-requests";
import { copyOfJob, pagesOfWidth, type Scene, uploaded } from "@/worker/test-packets";

export const SMALL_KINDS = ["monthly-report", "onboarding-packet", "board-book", "depot-report"] as const;
export type SmallKind = (typeof SMALL_KINDS)[number];

/** The smallest packet of each kind, as often as it is wanted: each is a job of its own with the very same input. */
export interface SmallPackets {
  next(kind: SmallKind): Promise<JobId>;
}

/** Uploads what they need and submits one of each; those are copied and never delivered themselves. */
export async function smallPackets(scene: Scene): Promise<SmallPackets> {
  const { context, actor } = scene;
  const today = dayIn("UTC", context.clock.now());
  const originals = new Map<SmallKind, JobId>();
  for (const request of [monthly(today), newPacket(today), await book(scene, today), await depot(scene, today)]) {
    const kind = SMALL_KINDS.find((name) => name === request.kind);
    if (kind !== undefined) originals.set(kind, await submitted(context, actor, request));
  }
  // Nobody waits for the originals: the lane stays open.
  await context.sql("UPDATE jobs SET state = 'cancelled' WHERE id = ANY($1)", [[...originals.values()]]);
  return {
    next: (kind) => {
      const original = originals.get(kind);
      if (original === undefined) throw new RangeError("There is no small packet of this kind.");
      return copyOfJob(context, original);
    },
  };
}

/** A school of one class, reported in one week. */
function monthly(today: string): Submission {
  const { payload } = monthlyReport.samples.typicalOn(today);
  const classes = payload.classes.slice(0, 1);
  const pupils = classes[0]?.pupils ?? 0;
  const metrics = { ...payload.metrics, enrolmentAtStart: pupils, joined: 0, left: 0, enrolment: pupils };
  const { notes: _, ...rest } = payload;
  return request(monthlyReport, {
    ...rest,
    classes,
    metrics,
    weeks: payload.weeks.slice(0, 1),
    subjects: [],
    incidents: [],
  });
}

/** A book of one page. */
async function book(scene: Scene, today: string): Promise<Submission> {
  const source = await uploaded(scene, await pagesOfWidth(301));
  const { payload } = boardBook.samples.typicalOn(today);
  return request(boardBook, {
    ...payload,
    sections: [{ title: "Papers", sources: [{ source, title: "Paper 1", closed: false }] }],
  });
}

/** A depot's month with three shipments in a table. */
async function depot(scene: Scene, today: string): Promise<Submission> {
  const { payload, files } = depotSample(today, 3, { ref: "D-03", name: "Gdańsk Północny" });
  const [table] = files;
  if (table === undefined) throw new RangeError("The sample has no table.");
  const sourceId = await uploaded(scene, await table.make(), {
    title: table.title,
    purpose: `depot-report/${depotReport.tables[0]?.name}`,
  });
  return request(depotReport, { ...payload, shipments: { table: sourceId } });
}

function request<Payload>(kind: PacketKind<Payload>, payload: Payload): Submission {
  return { kind: kind.name, payload, correlationId: `cor-${kind.name}` };
}
