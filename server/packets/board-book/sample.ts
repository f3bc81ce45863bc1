import { addDays } from "../calendar";
import type { KindSamples, Sample, SampleFile } from "../kind";
import { pdfSample, photoSample, type SampleSection, scanSample } from "../sample-files";
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
    files: FILES,
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
    files: [...FILES, ...volumes.map(volumeFile)],
  };
}

function entry(source: string, title: string, closed = false) {
  return { source, title, closed };
}

function volumeFile(volume: number): SampleFile {
  return pdfSample(`sample_book_volume_${volume}`, `Report of committee ${volume}`, {
    sections: Array.from({ length: 60 }, (_, index) => ({
      heading: `${volume}.${index + 1} Matter`,
      paragraphs: [TEXT_1, TEXT_2, TEXT_1, TEXT_2],
    })),
  });
}

const TEXT_1 =
  "The committee met four times in the period and was quorate each time. It recommends that the board take note of this report and adopt the resolution at its end without amendment.";
const TEXT_2 =
  "Costs stayed within the frame agreed in spring. Where the forecast differs from the plan by more than five per cent, the reason is given beside the figure and the measure taken is named.";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];
const table = (names: readonly string[]): NonNullable<SampleSection["table"]> => ({
  columns: ["Item", ...months],
  rows: names.map((name, row) => [name, ...months.map((_, column) => `${(row + 2) * 1_150 + column * 75}`)]),
});

const FILES: readonly SampleFile[] = [
  pdfSample("sample_book_agenda", "Agenda", {
    sections: [
      {
        heading: "Open session",
        paragraphs: ["1. Opening and attendance", "2. Minutes", "3. Budget", "4. West wing", "5. Any other business"],
      },
      { heading: "Closed session", paragraphs: ["6. Matters in confidence"] },
    ],
  }),
  pdfSample("sample_book_minutes", "Minutes of the autumn meeting", {
    sections: Array.from({ length: 8 }, (_, index) => ({ heading: `Item ${index + 1}`, paragraphs: [TEXT_1, TEXT_2] })),
  }),
  scanSample("sample_book_signed", "Signed attendance list"),
  pdfSample("sample_book_budget", "Budget, second reading", {
    sections: [
      { heading: "Income", paragraphs: [TEXT_2], table: table(["Grants", "Fees", "Donations", "Rent"]) },
      {
        heading: "Expenses",
        paragraphs: [TEXT_1],
        table: table(["Salaries", "Buildings", "Energy", "Materials", "Travel"]),
      },
    ],
  }),
  pdfSample("sample_book_cashflow", "Cash flow by month", {
    landscape: true,
    sections: [
      {
        heading: "First half year",
        paragraphs: [],
        table: table(["Opening balance", "Received", "Paid", "Closing balance"]),
      },
    ],
  }),
  pdfSample("sample_book_audit", "Letter of the auditors", {
    paper: "LETTER",
    sections: [{ heading: "Our opinion", paragraphs: [TEXT_1, TEXT_2] }],
  }),
  pdfSample("sample_book_plan", "Floor plan of the west wing", {
    rotate: 90,
    sections: [
      {
        heading: "Ground floor",
        paragraphs: ["Rooms W1 to W9, scale 1:200. Walls to be removed are marked in the annex."],
      },
    ],
  }),
  photoSample("sample_book_photo", "West wing, state in November"),
  pdfSample("sample_book_staff", "Staff matters", { sections: [{ heading: "In confidence", paragraphs: [TEXT_2] }] }),
  pdfSample("sample_book_legal", "Legal advice", { sections: [{ heading: "Privileged", paragraphs: [TEXT_1] }] }),
];

/** A synthetic board and other people's files: portrait, landscape, turned, Letter, a scan and a photograph. */
export const samples: KindSamples<BoardBook> = {
  typical: typicalOn(TODAY),
  typicalOn,
  largest: largestOn(TODAY),
  invalid: { payload: { ...typicalOn(TODAY).payload, sections: [] }, code: "too_small" },
};
