import { addDays } from "../calendar";
import type { KindSamples, Sample } from "../kind";
import { committeeReport, PAPERS } from "./sample-papers";
import type { BoardBook } from "./schema";

const TODAY = "2027-01-25";

function typicalOn(today: string): Sample<BoardBook> {
  return {
    payload: {
      meeting: {
        ref: "B-2027-01",
        title: "Board of trustees, winter meeting",
        date: addDays(today, 24),
        startsAt: "14:00",
        place: "Council room, 12 Quay Street",
      },
      sections: [
        {
          title: "Opening",
          sources: [
            entry("sample_book_agenda", "Agenda"),
            entry("sample_book_minutes", "Minutes of the autumn meeting"),
            entry("sample_book_signed", "Signed attendance list"),
          ],
        },
        {
          title: "Finance",
          sources: [
            entry("sample_book_budget", "Budget, second reading"),
            entry("sample_book_cashflow", "Cash flow by month"),
            entry("sample_book_audit", "Letter of the auditors"),
          ],
        },
        {
          title: "Buildings",
          sources: [
            entry("sample_book_plan", "Floor plan of the west wing"),
            entry("sample_book_photo", "West wing, state in November"),
          ],
        },
        {
          title: "Closed session",
          sources: [
            entry("sample_book_staff", "Staff matters", true),
            entry("sample_book_legal", "Legal advice", true),
          ],
        },
      ],
    },
    today,
    files: PAPERS,
  };
}

/** Ten files of about thirty pages: the largest book a board usually gets. */
function largestOn(today: string): Sample<BoardBook> {
  const volumes = Array.from({ length: 10 }, (_, index) => index + 1);
  const typical = typicalOn(today);
  return {
    payload: {
      ...typical.payload,
      meeting: {
        ...typical.payload.meeting,
        ref: "B-2027-02",
        title: "Board of trustees, annual meeting with all committee reports",
      },
      watermark: "Confidential",
      sections: [
        ...typical.payload.sections,
        {
          title: "Committee reports",
          sources: volumes.map((volume) =>
            entry(`sample_book_volume_${volume}`, `Report of committee ${volume} on the past year`),
          ),
        },
      ],
    },
    today,
    files: [...PAPERS, ...volumes.map(committeeReport)],
  };
}

function entry(source: string, title: string, closed = false) {
  return { source, title, closed };
}

/** A synthetic board and other people's files: portrait, landscape, turned, Letter, a scan and a photograph. */
export const samples: KindSamples<BoardBook> = {
  typical: typicalOn(TODAY),
  typicalOn,
  largest: largestOn(TODAY),
  invalid: { payload: { ...typicalOn(TODAY).payload, sections: [] }, code: "too_small" },
};
