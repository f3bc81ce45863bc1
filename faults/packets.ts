import type { SourceId } from "@/server/domain/ids";
import { boardBook } from "@/server/packets/board-book";
import { dayIn } from "@/server/packets/check-payload";
import { depotReport } from "@/server/packets/depot-report";
import { depotSample } from "@/server/packets/depot-report/sample";
import { monthlyReport } from "@/server/packets/monthly-report";
import { onboardingPacket } from "@/server/packets/onboarding-packet";
import type { Submission } from "@/server/services/packets/submit-packet";
import { pagesOfWidth } from "@/worker/test-packets";
import { CANARIES } from "./canaries";

export const KINDS = ["monthly-report", "onboarding-packet", "board-book", "depot-report"] as const;
export type KindName = (typeof KINDS)[number];

/** Pages of a book's sources are known by their widths; none of our own pages is this narrow. */
export const WIDTHS = [301, 302, 303, 304] as const;

export interface Upload {
  readonly name: string;
  readonly title: string;
  readonly purpose: string;
  bytes(): Promise<Uint8Array>;
}

/** The files that the packets below bind. */
export function uploads(today: string): Upload[] {
  const [table] = depotSample(today, 3, { ref: "D", name: CANARIES.place }).files;
  if (table === undefined) throw new RangeError("The sample has no table.");
  return [
    ...WIDTHS.map((width) => ({
      name: `pages-${width}`,
      title: `${CANARIES.file}-${width}.pdf`,
      purpose: "pages",
      bytes: () => pagesOfWidth(width, 2),
    })),
    {
      name: "shipments",
      title: CANARIES.file,
      purpose: `depot-report/${depotReport.tables[0]?.name}`,
      bytes: async () => {
        const text = new TextDecoder().decode(await table.make());
        const [head = "", first = "", ...rows] = text.split(/\r?\n/);
        const cells = first.split(",");
        cells[head.split(",").indexOf("customer")] = CANARIES.customer;
        return new TextEncoder().encode([head, cells.join(","), ...rows].join("\n"));
      },
    },
  ];
}

export interface MadeRequest {
  readonly submission: Submission;
  /** Widths of the pages of the sources, in the order in which they must come. */
  readonly widths: readonly number[];
}

/** Returns a small packet that no other packet is about, full of canaries. `order` is how a book orders its sources. */
export function newRequest(
  kind: KindName,
  number: number,
  { sources, order, now }: { sources: ReadonlyMap<string, SourceId>; order: readonly number[]; now: Date },
): MadeRequest {
  const today = dayIn("UTC", now);
  const payload = PAYLOADS[kind](today, String(number).padStart(6, "0"), sources, order);
  const widths = kind === "board-book" ? order.flatMap((width) => [width, width]) : [];
  return { submission: { kind, payload, idempotencyKey: `faults-${number}`, correlationId: `cor-${number}` }, widths };
}

type Payload = (
  today: string,
  number: string,
  sources: ReadonlyMap<string, SourceId>,
  order: readonly number[],
) => unknown;

const PAYLOADS: Readonly<Record<KindName, Payload>> = {
  "monthly-report": (today, number) => {
    const { notes: _, ...payload } = monthlyReport.samples.typicalOn(today).payload;
    const classes = payload.classes.slice(0, 1);
    const pupils = classes[0]?.pupils ?? 0;
    return {
      ...payload,
      school: { ref: `S-${number}`, name: CANARIES.school },
      preparedBy: CANARIES.person,
      classes,
      metrics: { ...payload.metrics, enrolmentAtStart: pupils, joined: 0, left: 0, enrolment: pupils },
      weeks: payload.weeks.slice(0, 1),
      subjects: [],
      incidents: [],
    };
  },
  "onboarding-packet": (today, number, sources) => {
    const { payload } = onboardingPacket.samples.typicalOn(today);
    const policies = [sources.get("pages-301") ?? ""];
    const employee = { ...payload.employee, ref: `E-${number}`, name: CANARIES.person, email: CANARIES.mail };
    return { ...payload, employee, policies };
  },
  "board-book": (today, number, sources, order) => {
    const { payload } = boardBook.samples.typicalOn(today);
    const entries = order.map((width) => ({
      source: sources.get(`pages-${width}`) ?? "",
      title: `${CANARIES.file} ${width}`,
      closed: false,
    }));
    const meeting = { ...payload.meeting, ref: `B-${number}`, title: CANARIES.file, place: CANARIES.place };
    return { ...payload, meeting, sections: [{ title: CANARIES.person, sources: entries }] };
  },
  "depot-report": (today, number, sources) => {
    const { payload } = depotSample(today, 3, { ref: `D-${number}`, name: CANARIES.place });
    return { ...payload, preparedBy: CANARIES.person, shipments: { table: sources.get("shipments") ?? "" } };
  },
};
