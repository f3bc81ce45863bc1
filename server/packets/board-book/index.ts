import { addDays, instantOf } from "../calendar";
import { definePacketKind } from "../kind";
import { bookManifest } from "./book-manifest";
import { boardBookRules } from "./rules";
import { samples } from "./sample";
import { BoardBook } from "./schema";

/** Many people's files bound as one book for a meeting, as a board copy and a public copy from one list. */
export const boardBook = definePacketKind<BoardBook>({
  name: "board-book",
  title: "Board book",
  description: "Many files bound as one book: cover, contents with links, dividers, one run of page numbers.",
  payload: BoardBook,
  audiences: ["board", "public"],
  businessIdentity: (payload) => `meeting:${payload.meeting.ref}`,
  subject: (payload) => payload.meeting.title,
  scope: (payload) => payload.meeting.ref,
  period: (payload) => payload.meeting.date,
  rules: boardBookRules,
  sources: (payload) =>
    payload.sections.flatMap((section, sectionIndex) =>
      section.sources.map((entry, index) => ({
        path: ["sections", sectionIndex, "sources", index, "source"],
        sourceId: entry.source,
        accepts: "pages" as const,
      })),
    ),
  manifest: bookManifest,
  recipient: () => null,
  finishBy: (payload, acceptedAt) => noticeHour(payload.meeting.date, acceptedAt),
  language: "en",
  watermark: (payload, audience) => payload.watermark ?? (audience === "public" ? null : "Board copy"),
  pages: { min: 3, max: 6_000 },
  retention: { years: 10 },
  inputDays: 60,
  validationVersion: 1,
  templateVersion: 1,
  tables: [],
  pageNumbers: { style: "x-of-y", from: 2 },
  layoutDocuments: ["contents"],
  samples,
  template: () => import("./template"),
});

const NOTICE_DAYS = 5;

/** Five days before the meeting; once that has passed, the beginning of the day of the meeting. */
function noticeHour(date: string, acceptedAt: Date): Date {
  const notice = instantOf(addDays(date, -NOTICE_DAYS));
  return notice.getTime() > acceptedAt.getTime() ? notice : instantOf(date);
}
