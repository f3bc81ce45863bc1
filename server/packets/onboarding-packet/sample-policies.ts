import type { SampleFile } from "../kind";
import { pdfSample } from "../sample-files";

function conductPolicy(): SampleFile {
  return pdfSample("sample_policy_conduct", "Code of conduct", {
    sections: [
      {
        heading: "Why this exists",
        paragraphs: [
          "Everybody who works here can expect to be treated fairly and is expected to treat others in the same way. This code says what that means on an ordinary day.",
          "It does not replace good sense. Where a rule and good sense seem to differ, ask before you act; asking is never held against anybody.",
        ],
      },
      {
        heading: "How we treat one another",
        paragraphs: [
          "We listen before we judge, say openly what we think, and keep what we are told in confidence. Jokes at the cost of those who cannot answer back are not jokes.",
          "Nobody is put at a disadvantage for their origin, faith, age, sex, disability or family. Whoever sees it happen speaks up, or tells somebody who can.",
        ],
      },
      {
        heading: "Gifts and conflicts of interest",
        paragraphs: [
          "A cup of coffee is welcome, a weekend is not. Gifts worth more than 30 euros are declined or handed to the office manager, who enters them in the register.",
          "Whoever decides on a purchase, a grant or an appointment says beforehand whether they know the people who would gain by it, and steps aside where they do.",
        ],
      },
      {
        heading: "Speaking up",
        paragraphs: [
          "Concerns go to your manager, to the people team, or without a name to the address on the notice board. Each is answered within ten working days.",
        ],
      },
    ],
  });
}

function dataPolicy(): SampleFile {
  return pdfSample("sample_policy_data", "Data protection", {
    sections: [
      {
        heading: "What counts as personal data",
        paragraphs: [
          "Anything that tells something about a person who can be recognised: a name on a list, a voice on a machine, a face in a picture, a number that only one person has.",
        ],
      },
      {
        heading: "What you may take home",
        paragraphs: [
          "Your laptop, locked and encrypted. Not paper files, not copies on a stick, not pictures of a screen. Lost things are reported the same day, at any hour.",
        ],
      },
      {
        heading: "How long we keep what",
        paragraphs: [
          "What is no longer needed is destroyed in the way set out for its class, and the destruction is recorded.",
        ],
        table: {
          columns: ["Record", "Years"],
          rows: [
            ["Contracts", "10"],
            ["Payroll", "7"],
            ["Applications", "1"],
            ["Visitors", "0.5"],
          ],
        },
      },
    ],
  });
}

function travelPolicy(): SampleFile {
  return pdfSample("sample_policy_travel", "Travel and expenses", {
    paper: "LETTER",
    sections: [
      {
        heading: "Before you travel",
        paragraphs: [
          "Journeys are agreed with your manager and booked through the travel desk. Trains come before planes where the journey takes less than six hours.",
          "Second class is the rule; first class is allowed where it is cheaper, or where you work on the way.",
        ],
      },
      {
        heading: "After you return",
        paragraphs: [
          "Expenses are claimed within thirty days, with receipts. Meals are paid by allowance, so their receipts are not needed.",
        ],
      },
    ],
  });
}

/** Returns one of many long documents. */
export function handbook(volume: number): SampleFile {
  return pdfSample(`sample_policy_handbook_${volume}`, `Staff handbook, volume ${volume}`, {
    sections: Array.from({ length: 14 }, (_, index) => ({
      heading: `${volume}.${index + 1} Section`,
      paragraphs: HANDBOOK,
    })),
  });
}

const HANDBOOK = [
  "This section describes how the work is done, who decides, and what to do when something does not go as planned. It is reviewed once a year by those who work with it.",
  "Records are kept for as long as the law or the purpose demands and no longer. Where a form is named, the current one is in the library and no other is accepted.",
  "Managers make sure that their teams know this section and have time to read it. Questions go to the people team, which answers within three working days.",
];

/** The policies of a synthetic employer. */
export const POLICIES: readonly SampleFile[] = [conductPolicy(), dataPolicy(), travelPolicy()];
