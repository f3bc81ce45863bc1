import { View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import type { Part } from "@/server/domain/manifest";
import { formatDay, formatDayLong } from "../calendar";
import type { DocumentInput, TemplateDocument, TemplateModule } from "../kind";
import { revisionWords } from "../revision-words";
import { Cover } from "../stationery/cover";
import { BOLD, REGULAR } from "../stationery/fonts";
import { contentWidth, HAIRLINE, INK, MM } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { Heading, PartLink } from "../stationery/text";
import { Words } from "../stationery/words";
import type { BoardBook } from "./schema";

type Input = DocumentInput<BoardBook>;

export const documents: TemplateModule<BoardBook>["documents"] = {
  cover: (input) => ({ flow: "whole", element: cover(input) }),
  contents: (input) => contents(input),
  divider: (input) => ({ flow: "whole", element: divider(input) }),
};

function cover(input: Input): ReactElement {
  const { payload, revision, part } = input;
  const { meeting } = payload;
  return (
    <Cover
      input={input}
      kicker="Board book"
      title={meeting.title}
      subtitle={formatDayLong(meeting.date)}
      facts={[
        ["Place", meeting.place],
        ["Time", meeting.startsAt ?? "As announced"],
        ["Meeting", meeting.ref],
        ["Copy", String(part.params.audience ?? "")],
        ["Version", revisionWords(revision)],
        ["Prepared on", formatDay(revision.preparedOn)],
      ]}
      footer={footer(input)}
    />
  );
}

/** One line a part, as a table without end: a book of 500 files has many pages of contents. */
function contents(input: Input): TemplateDocument {
  const width = contentWidth(input.letterhead.paper);
  const firstPage = new Map(input.layout.map((entry) => [entry.position, entry.firstPage]));
  const entries = input.manifest.parts.filter((part) => part.position > CONTENTS_POSITION);
  return {
    flow: "rows",
    rows: entries.length,
    window: (from, to) => (
      <Sheet input={input} head="running" {...footer(input)}>
        {from === 0 ? (
          <Heading level={1} isFirst>
            Contents
          </Heading>
        ) : null}
        {entries.slice(from, to).map((part, index) => (
          <Entry
            key={part.position}
            row={from + index}
            part={part}
            page={firstPage.get(part.position)}
            width={width}
            isFirst={from + index === 0}
          />
        ))}
      </Sheet>
    ),
  };
}

const CONTENTS_POSITION = 2;
const NUMBER = 9 * MM;
const PAGE = 18 * MM;

interface EntryProps {
  readonly row: number;
  readonly part: Part;
  readonly page: number | undefined;
  readonly width: number;
  readonly isFirst: boolean;
}

/** The page number has a place of its own, so that lines break the same before it is known. */
function Entry({ row, part, page, width, isFirst }: EntryProps) {
  const isSection = part.type === "template";
  const titleWidth = width - NUMBER - PAGE;
  const weight = isSection ? BOLD : REGULAR;
  return (
    <View
      id={`row-${row}`}
      wrap={false}
      {...(isSection ? { minPresenceAhead: 30 } : {})}
      style={{
        flexDirection: "row",
        marginTop: isSection && !isFirst ? 12 : 0,
        paddingVertical: 4.2,
        borderBottomWidth: isSection ? 0.9 : 0.4,
        borderBottomColor: isSection ? INK : HAIRLINE,
      }}
    >
      <Words width={NUMBER} weight={BOLD}>
        {part.type === "template" ? String(part.params.number ?? "") : ""}
      </Words>
      <PartLink position={part.position}>
        <Words width={titleWidth} weight={weight}>
          {part.title}
        </Words>
      </PartLink>
      <Words width={PAGE} weight={weight} align="right" tabular>
        {page === undefined ? "" : `${page}`}
      </Words>
    </View>
  );
}

/** A section's own page: its number and title large, and what stands in it. */
function divider(input: Input): ReactElement {
  const { accent, paper } = input.letterhead;
  const width = contentWidth(paper);
  const { section, number } = input.part.params;
  const files = filesAfter(input.manifest.parts, input.part.position);
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <View style={{ marginTop: 52 * MM, marginBottom: 12 * MM }}>
        <Words width={width} weight={BOLD} size={44} leading={1.05} color={accent} spacing={-1}>
          {String(number ?? "")}
        </Words>
        <Words width={width} weight={BOLD} size={28} leading={1.2} spacing={-0.4} before={6}>
          {String(section ?? input.part.title)}
        </Words>
      </View>
      {files.map((part) => (
        <View
          key={part.position}
          wrap={false}
          style={{ paddingVertical: 4.2, borderBottomWidth: 0.4, borderBottomColor: HAIRLINE }}
        >
          <PartLink position={part.position}>
            <Words width={width}>{part.title}</Words>
          </PartLink>
        </View>
      ))}
    </Sheet>
  );
}

/** The files of a section: all up to the next divider. */
function filesAfter(parts: readonly Part[], position: number): Part[] {
  const rest = parts.filter((part) => part.position > position);
  const end = rest.findIndex((part) => part.type === "template");
  return end === -1 ? rest : rest.slice(0, end);
}

function footer(input: Input) {
  return { title: input.payload.meeting.title, period: formatDay(input.payload.meeting.date) };
}
