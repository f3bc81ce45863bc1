import { z } from "zod";
import { day, line, reference, sourceId } from "../fields";

const meeting = z
  .strictObject({
    ref: reference().meta({ title: "Meeting number", description: "It names the book.", examples: ["B-2027-02"] }),
    title: line(160).meta({
      title: "Meeting",
      description: "The name on the cover.",
      examples: ["Board of trustees, winter meeting"],
    }),
    date: day().meta({ title: "Date", description: "The day of the meeting.", examples: ["2027-02-18"] }),
    startsAt: z
      .string({ error: "Write a time as 14:00." })
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "Write a time as 14:00." })
      .optional()
      .meta({
        title: "Starts at",
        description: "Time of day, where it should stand on the cover.",
        examples: ["14:00"],
      }),
    place: line(200).meta({
      title: "Place",
      description: "Room and address, or how to join.",
      examples: ["Council room, 12 Quay Street"],
    }),
  })
  .meta({ title: "Meeting", description: "What the book is for." });

const source = z.strictObject({
  source: sourceId().meta({
    title: "File",
    description: "PDF, PNG or JPEG.",
    examples: ["src_minutes"],
    widget: "source",
  }),
  title: line(200).meta({
    title: "Title",
    description: "As it stands on the contents page.",
    examples: ["Minutes of the autumn meeting"],
  }),
  closed: z
    .boolean({ error: "Say yes or no." })
    .meta({ title: "Closed session", description: "Left out of the public copy altogether.", examples: [false] }),
});

const section = z.strictObject({
  title: line(160).meta({ title: "Section", description: "The words on its divider.", examples: ["Finance"] }),
  sources: z
    .array(source)
    .min(1, { error: "Add at least one file." })
    .max(500, { error: "Add at most 500 files." })
    .meta({ title: "Files", description: "In the order in which they are bound.", examples: [] }),
});

/** What a revision of a board book must contain. */
export const BoardBook = z
  .strictObject({
    meeting,
    watermark: line(60)
      .optional()
      .meta({
        title: "Watermark",
        description:
          'Words across each page. Without them the board copy says "Board copy" and the public copy nothing.',
        examples: ["Confidential"],
      }),
    sections: z
      .array(section)
      .min(1, { error: "Add at least one section." })
      .max(200, { error: "Add at most 200 sections." })
      .meta({ title: "Sections", description: "In the order of the agenda.", examples: [] }),
  })
  .meta({
    title: "Board book",
    description: "Many files bound as one book, with contents and one run of page numbers.",
  });
export type BoardBook = z.infer<typeof BoardBook>;
