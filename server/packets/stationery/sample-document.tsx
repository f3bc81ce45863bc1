import { Page } from "@react-pdf/renderer";
import type { SampleSection } from "../sample-files";
import { loadFonts, SANS } from "./fonts";
import { MARGIN, PAPER } from "./measures";
import { TABLE_START, Table } from "./table";
import { Heading, Paragraph } from "./text";
import { writeDocument } from "./write-document";

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
  const { bytes } = await writeDocument(
    <Page
      experimentalPagination
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
    </Page>,
    { title, author: "Sample", language: "en", createdAt: "2026-01-01T00:00:00Z" },
  );
  return bytes;
}

function SectionBlock({ section, width }: { readonly section: SampleSection; readonly width: number }) {
  return (
    <>
      <Heading level={2} {...(section.table === undefined ? {} : { ahead: TABLE_START })}>
        {section.heading}
      </Heading>
      {section.paragraphs.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of paragraphs never changes within one document
        <Paragraph key={index}>{text}</Paragraph>
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
