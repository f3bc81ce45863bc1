import { Document, Page, pdf } from "@react-pdf/renderer";
import type { SampleSection } from "../sample-files";
import { loadFonts, SANS } from "./fonts";
import { MARGIN, PAPER } from "./measures";
import { TABLE_START, Table } from "./table";
import { Heading, Paragraph } from "./text";

interface SampleDocument {
  readonly title: string;
  readonly paper: "A4" | "LETTER";
  readonly landscape: boolean;
  readonly sections: readonly SampleSection[];
}

/** Returns the bytes of somebody else's document: plain, without our letterhead, the same on every run. */
export async function drawSampleDocument({ title, paper, landscape, sections }: SampleDocument): Promise<Uint8Array> {
  await loadFonts();
  const width = (landscape ? PAPER[paper].height : PAPER[paper].width) - 2 * MARGIN;
  const stream = await pdf(
    <Document
      title={title}
      creator="Sample"
      producer="Sample"
      creationDate={new Date("2026-01-01T00:00:00Z")}
      language="en"
    >
      <Page
        size={paper}
        orientation={landscape ? "landscape" : "portrait"}
        style={{ padding: MARGIN, fontFamily: [...SANS], fontSize: 10 }}
      >
        <Heading level={1} isFirst>
          {title}
        </Heading>
        {sections.map((section) => (
          <SectionBlock key={section.heading} section={section} width={width} />
        ))}
      </Page>
    </Document>,
  ).toBuffer();
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return new Uint8Array(Buffer.concat(parts));
}

function SectionBlock({ section, width }: { readonly section: SampleSection; readonly width: number }) {
  return (
    <>
      <Heading level={2} {...(section.table === undefined ? {} : { ahead: TABLE_START })}>
        {section.heading}
      </Heading>
      {section.paragraphs.map((text) => (
        <Paragraph key={text.slice(0, 60)}>{text}</Paragraph>
      ))}
      {section.table === undefined ? null : (
        <Table
          width={width}
          columns={section.table.columns.map((title, index) => ({
            title,
            share: index === 0 ? 3 : 1,
            align: index === 0 ? "left" : "right",
          }))}
          rows={section.table.rows}
        />
      )}
    </>
  );
}
