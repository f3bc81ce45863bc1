import { Text, View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { formatDay, formatDayLong } from "../calendar";
import type { DocumentInput, TemplateModule } from "../kind";
import { Cover } from "../stationery/cover";
import { BOLD, SANS } from "../stationery/fonts";
import { breakLongWords } from "../stationery/long-words";
import { contentWidth, HAIRLINE, MM, MUTED } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { Heading, Label, PartLink } from "../stationery/text";
import type { BoardBook } from "./schema";

type Input = DocumentInput<BoardBook>;

export const documents: TemplateModule<BoardBook>["documents"] = {
  cover: (input) => ({ flow: "whole", element: cover(input) }),
  contents: (input) => ({ flow: "whole", element: contents(input) }),
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
        ["Version", `${revision.number}`],
        ["Prepared on", formatDay(revision.preparedOn)],
      ]}
      footer={footer(input)}
    />
  );
}

function contents(input: Input): ReactElement {
  const width = contentWidth(input.letterhead.paper);
  const firstPage = new Map(input.layout.map((entry) => [entry.position, entry.firstPage]));
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <Heading level={1} isFirst>
        Contents
      </Heading>
      {input.manifest.parts
        .filter((part) => part.position > 2)
        .map((part) => (
          <Entry
            key={part.position}
            position={part.position}
            title={part.title}
            isSection={part.type === "template"}
            page={firstPage.get(part.position)}
            width={width}
          />
        ))}
    </Sheet>
  );
}

interface EntryProps {
  readonly position: number;
  readonly title: string;
  readonly isSection: boolean;
  readonly page: number | undefined;
  readonly width: number;
}

function Entry({ position, title, isSection, page, width }: EntryProps) {
  const titleWidth = width - 20 * MM - (isSection ? 0 : 6 * MM);
  return (
    <View
      wrap={false}
      {...(isSection ? { minPresenceAhead: 30 } : {})}
      style={{
        flexDirection: "row",
        marginTop: isSection ? 10 : 0,
        paddingVertical: 4,
        borderBottomWidth: 0.4,
        borderBottomColor: HAIRLINE,
      }}
    >
      <View style={{ width: width - 20 * MM, paddingLeft: isSection ? 0 : 6 * MM }}>
        <PartLink position={position}>
          <Text
            style={{ fontFamily: SANS, fontSize: 10, lineHeight: 1.4, fontWeight: isSection ? BOLD : 400 }}
            hyphenationCallback={breakLongWords({ width: titleWidth, size: 10, families: SANS, weight: BOLD })}
          >
            {title}
          </Text>
        </PartLink>
      </View>
      <View style={{ width: 20 * MM }}>
        <Text
          style={{ fontFamily: SANS, fontSize: 10, lineHeight: 1.4, textAlign: "right", fontFeatureSettings: ["tnum"] }}
        >
          {page === undefined ? "" : `${page}`}
        </Text>
      </View>
    </View>
  );
}

function divider(input: Input): ReactElement {
  const { accent, paper } = input.letterhead;
  const title = String(input.part.params.section ?? input.part.title);
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <View style={{ marginTop: 60 * MM }}>
        <Text style={{ fontFamily: SANS, fontWeight: BOLD, fontSize: 40, lineHeight: 1, color: accent }}>
          {String(input.part.params.number ?? "")}
        </Text>
        <Text
          style={{ fontFamily: SANS, fontWeight: BOLD, fontSize: 26, lineHeight: 1.2, marginTop: 10 }}
          hyphenationCallback={breakLongWords({ width: contentWidth(paper), size: 26, families: SANS, weight: BOLD })}
        >
          {title}
        </Text>
      </View>
      <Label color={MUTED}>{input.payload.meeting.title}</Label>
    </Sheet>
  );
}

function footer(input: Input) {
  return { title: input.payload.meeting.title, period: formatDay(input.payload.meeting.date) };
}
