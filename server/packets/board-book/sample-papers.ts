import type { SampleFile } from "../kind";
import { pdfSample, photoSample, type SampleSection, scanSample } from "../sample-files";

/** Returns one of ten reports of about thirty pages. */
export function committeeReport(volume: number): SampleFile {
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

const MINUTES: readonly (readonly [string, ...string[]])[] = [
  [
    "1. Opening",
    "The chair opened the meeting at 14:00. Nine of eleven trustees were present; two had sent apologies. The board was quorate.",
  ],
  [
    "2. Minutes",
    "The minutes of the summer meeting were approved with one correction under item 4: the amount is 18,400, not 14,800.",
  ],
  [
    "3. Report of the director",
    "Admissions are up by four per cent on last year. Two posts in the kitchen remain open; the service runs with help from the agency until January.",
  ],
  [
    "4. Finance",
    "The half-year figures were presented. Energy costs are nine per cent over plan and are met from the reserve for price changes. The board took note.",
  ],
  [
    "5. West wing",
    "The surveyor's report was discussed. The board asked for three offers for the roof and for a plan that keeps the library open during the works.",
  ],
  [
    "6. Policies",
    "The policies on travel and on data protection were adopted as circulated. They are reviewed again in two years.",
  ],
  [
    "7. Any other business",
    "The treasurer thanked the volunteers of the autumn fair, which brought in 6,250 for the instruments fund.",
  ],
  [
    "8. Next meeting",
    "The winter meeting takes place in the council room. Papers are sent five days before. The chair closed the meeting at 16:20.",
  ],
];

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"];
const table = (names: readonly string[]): NonNullable<SampleSection["table"]> => ({
  columns: ["Item", ...months],
  rows: names.map((name, row) => [name, ...months.map((_, column) => `${(row + 2) * 1_150 + column * 75}`)]),
});

/** Other people's files, as a board gets them: portrait, landscape, turned, Letter, a scan and a photograph. */
export const PAPERS: readonly SampleFile[] = [
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
    sections: MINUTES.map(([heading, ...paragraphs]) => ({ heading, paragraphs })),
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
