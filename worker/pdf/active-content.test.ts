import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Body, firstExtra, pagesPdf, stream } from "./testing/handmade-pdf";
import { textsOf } from "./testing/raster";
import { filePart, Workshop } from "./testing/workshop";

const FIRST = firstExtra(1);
const link = (action: string) => `/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] /A ${action} >>]`;
const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>";

interface Case {
  readonly entries?: string;
  readonly catalog?: string;
  readonly extra?: readonly Body[];
}

const ACTIVE: [string, Case][] = [
  ["a script when the file opens", { catalog: `/OpenAction ${script}` }],
  ["a script behind an escaped name", { catalog: "/Open#41ction << /S /Java#53cript /J#53 (x) >>" }],
  ["a script in the table of names", { catalog: `/Names << /JavaScript << /Names [(a) ${script}] >> >>` }],
  ["a script when a page opens", { entries: `/AA << /O ${script} >>` }],
  ["a program behind a link", { entries: link("<< /S /Launch /F (calc.exe) >>") }],
  ["a script after a plain link", { entries: link(`<< /S /GoTo /D [4 0 R /Fit] /Next ${script} >>`) }],
  ["a form that sends itself", { entries: link("<< /S /SubmitForm /F (http://x.invalid) >>") }],
  ["a link into another file", { entries: link("<< /S /GoToR /F (other.pdf) /D [0 /Fit] >>") }],
  ["a link with a script for an address", { entries: link("<< /S /URI /URI (javascript:alert\\(1\\)) >>") }],
  ["a link to a local file", { entries: link("<< /S /URI /URI (file:///etc/passwd) >>") }],
  ["a film", { entries: "/Annots [<< /Type /Annot /Subtype /Movie /Rect [9 9 99 99] /Movie << /F (a.avi) >> >>]" }],
  [
    "a screen that plays",
    { entries: `/Annots [<< /Type /Annot /Subtype /Screen /Rect [9 9 99 99] /A << /S /Rendition /JS (x) >> >>]` },
  ],
  [
    "rich media",
    { entries: "/Annots [<< /Type /Annot /Subtype /RichMedia /Rect [9 9 99 99] /RichMediaContent << >> >>]" },
  ],
  [
    "a script in a bookmark",
    {
      catalog: `/Outlines ${FIRST} 0 R`,
      extra: [
        `<< /First ${FIRST + 1} 0 R /Last ${FIRST + 1} 0 R >>`,
        `<< /Title (x) /Parent ${FIRST} 0 R /A ${script} >>`,
      ],
    },
  ],
  ["a script in a layer switch", { entries: link("<< /S /SetOCGState /State [/ON] >>") }],
];

const ATTACHED: [string, Case][] = [
  [
    "a file in the table of names",
    {
      catalog: `/Names << /EmbeddedFiles << /Names [(a) ${FIRST} 0 R] >> >>`,
      extra: [`<< /Type /Filespec /F (a.exe) /EF << /F ${FIRST + 1} 0 R >> >>`, stream("SECRET-PROGRAM")],
    },
  ],
  [
    "a file behind a paper clip",
    {
      entries: `/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 99 99] /FS ${FIRST} 0 R >>]`,
      extra: [`<< /Type /Filespec /F (a.exe) /EF << /F ${FIRST + 1} 0 R >> >>`, stream("SECRET-PROGRAM")],
    },
  ],
];

describe("content that acts", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const make = ({ entries = "", catalog = "", extra = [] }: Case) => pagesPdf([{ entries }], { catalog, extra });

  it.each(ACTIVE)("%s is removed from the copy and the book, and disclosed [C112]", async (_, source) => {
    const { path, bytes, answer } = await workshop.prepare(make(source));
    expect(answer.disclosures).toContain("active_content_removed");
    expect((await workshop.verify(bytes)).activeContent).toEqual([]);
    const book = await workshop.assemble([filePart(1, path, 1)]);
    expect((await workshop.verify(book.bytes)).activeContent).toEqual([]);
    expect(Buffer.from(book.bytes).toString("latin1")).not.toMatch(
      /JavaScript|Launch|SubmitForm|calc|passwd|app\.alert/,
    );
    expect((await textsOf(book.bytes))[0]).toContain("Page 1");
  });

  it.each(ATTACHED)("%s is removed with its bytes, and disclosed [C112]", async (_, source) => {
    const { bytes, answer } = await workshop.prepare(make(source));
    expect(answer.disclosures).toContain("attachments_removed");
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/SECRET|EmbeddedFile|Filespec/);
  });

  it.each([...ACTIVE, ...ATTACHED])("%s is refused where the tenant is strict", async (_, source) => {
    expect(await workshop.inspect(make(source), { strict: true })).toEqual({
      result: "reject",
      code: "source_active_content",
    });
  });

  it("a script that hides in an object stream is found", async () => {
    const packed = "20 0 << /S /JavaScript /JS (x) >>";
    const plain = make({ catalog: "/OpenAction 20 0 R" });
    const at = plain.lastIndexOf("xref\n0");
    const head = Buffer.concat([
      plain.subarray(0, at),
      Buffer.from("19 0 obj\n"),
      stream(deflateSync(packed), "/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode"),
      Buffer.from("\nendobj\n"),
    ]);
    const offset = (number: number) => head.indexOf(`\n${number} 0 obj`) + 1;
    const rows = Array.from({ length: 21 }, (_, number): number[] => {
      if (number === 20) return [2, 0, 19, 0];
      return (number >= 1 && number <= 5) || number === 19
        ? [1, offset(number) >> 8, offset(number) & 255, 0]
        : [0, 0, 0, 0];
    });
    const table = stream(Buffer.from(rows.flat()), "/Type /XRef /W [1 2 1] /Size 21 /Root 1 0 R");
    const bytes = Buffer.concat([
      head,
      Buffer.from("21 0 obj\n"),
      table,
      Buffer.from(`\nendobj\nstartxref\n${head.length}\n%%EOF\n`),
    ]);
    expect(await workshop.inspect(bytes)).toMatchObject({
      result: "accept",
      disclosures: ["active_content_removed", "untagged"],
    });
  });

  it.each([
    ["going to a page when the file opens", { catalog: "/OpenAction [4 0 R /Fit]" }],
    ["going there by an action", { catalog: "/OpenAction << /S /GoTo /D [4 0 R /Fit] >>" }],
    ["a web link", { entries: link("<< /S /URI /URI (https://example.org/) >>") }],
    ["a mail link", { entries: link("<< /S /URI /URI (mailto:a@example.org) >>") }],
    ["turning a page", { entries: link("<< /S /Named /N /NextPage >>") }],
    ["a font that is called JS", { entries: "/Resources << /Font << /JS 3 0 R /F 3 0 R >> >>" }],
  ] as [string, Case][])("%s is no such content, even to strict tenants", async (_, source) => {
    const verdict = await workshop.inspect(make(source), { strict: true });
    expect(verdict).toMatchObject({ result: "accept", disclosures: ["untagged"] });
  });

  it("a note stays, a hidden note goes and is disclosed", async () => {
    const note = (flags: number, text: string) =>
      `<< /Type /Annot /Subtype /FreeText /Rect [9 9 99 99] /F ${flags} /Contents (${text}) >>`;
    const { bytes, answer } = await workshop.prepare(
      make({ entries: `/Annots [${note(4, "seen")} ${note(2, "unseen")}]` }),
    );
    expect(answer.disclosures).toContain("hidden_annotations_removed");
    const text = Buffer.from(bytes).toString("latin1");
    expect(text).toContain(Buffer.from("seen").toString("hex"));
    expect(text).not.toContain(Buffer.from("unseen").toString("hex"));
  });
});
