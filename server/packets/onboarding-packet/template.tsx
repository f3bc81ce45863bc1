import type { ReactElement } from "react";
import { formatDay, formatDayLong } from "../calendar";
import { formatDecimal, parseDecimal } from "../decimal";
import type { DocumentInput, TemplateModule } from "../kind";
import { Beside, Block } from "../stationery/block";
import { KeyValues } from "../stationery/key-values";
import { contentWidth, INK, MEASURE, MM } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { type SideNote, SideNotes } from "../stationery/side-notes";
import { Blanks } from "../stationery/signature";
import { Heading, Label, List, Paragraph, Prose } from "../stationery/text";
import type { OnboardingPacket } from "./schema";

type Input = DocumentInput<OnboardingPacket>;

export const documents: TemplateModule<OnboardingPacket>["documents"] = {
  welcome: (input) => ({ flow: "whole", element: welcome(input) }),
  offer: (input) => ({ flow: "whole", element: offer(input) }),
  acknowledgement: (input) => ({ flow: "whole", element: acknowledgement(input) }),
};

/** The letter stands in the reading column; what one looks up on the first morning stands beside it. */
function welcome(input: Input): ReactElement {
  const { employee, note, signatory } = input.payload;
  const width = contentWidth(input.letterhead.paper);
  const sideWidth = width - LETTER_WIDTH - 10 * MM;
  return (
    <Sheet input={input} head="letter" {...footer(input)}>
      <Block after={12 * MM}>
        <Label color={INK} size={10} width={LETTER_WIDTH}>
          {employee.name}
        </Label>
        <Label size={10} width={LETTER_WIDTH}>
          {employee.email}
        </Label>
      </Block>
      <Beside gap={10 * MM}>
        <Block width={LETTER_WIDTH}>
          <Label size={10} after={5 * MM}>
            {formatDay(input.revision.preparedOn)}
          </Label>
          <Heading level={1} isFirst width={LETTER_WIDTH}>
            {`Welcome, ${employee.name}`}
          </Heading>
          {opening(input).map((text) => (
            <Paragraph key={text} size={11} width={LETTER_WIDTH}>
              {text}
            </Paragraph>
          ))}
          {note === undefined ? null : (
            <Prose size={11} width={LETTER_WIDTH}>
              {note}
            </Prose>
          )}
          <Block isTogether before={4 * MM}>
            <Paragraph size={11}>With kind regards</Paragraph>
            <Block before={15 * MM} />
            <Label color={INK} size={10} width={LETTER_WIDTH}>
              {signatory.name}
            </Label>
            <Label size={10} width={LETTER_WIDTH}>{`${signatory.role}, ${input.letterhead.tenantName}`}</Label>
          </Block>
        </Block>
        <SideNotes width={sideWidth} notes={sideNotes(input)} />
      </Beside>
    </Sheet>
  );
}

const LETTER_WIDTH = 112 * MM;

function opening({ payload: { employee, firstDay }, letterhead }: Input): string[] {
  return [
    `We are glad that you are joining ${letterhead.tenantName} as ${employee.role} in ${employee.team}. Your first working day is ${formatDayLong(employee.startDate)}. You will work with ${employee.manager}, at ${employee.workplace}.`,
    `On your first morning please come at ${firstDay.arriveAt} and ask for ${firstDay.askFor}. Read the pages that follow before then, and bring the last one with you, filled in and signed.`,
  ];
}

function sideNotes({ payload: { employee, firstDay }, manifest }: Input): SideNote[] {
  const titles = manifest.parts.filter((part) => part.position > 1).map((part) => part.title);
  const shown =
    titles.length > TITLES_MAX
      ? [...titles.slice(0, TITLES_MAX - 1), `and ${titles.length - TITLES_MAX + 1} more`]
      : titles;
  return [
    {
      title: "First working day",
      lines: [
        formatDayLong(employee.startDate),
        `${firstDay.arriveAt}, ask for ${firstDay.askFor}`,
        employee.workplace,
      ],
    },
    ...(firstDay.bring.length === 0 ? [] : [{ title: "Please bring", lines: firstDay.bring }]),
    { title: "In this packet", lines: shown },
  ];
}

const TITLES_MAX = 16;

function offer(input: Input): ReactElement {
  const { employee, offer } = input.payload;
  const width = contentWidth(input.letterhead.paper);
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <Heading level={1} isFirst>
        Offer summary
      </Heading>
      <Paragraph>What was agreed, in short. Where this page and your contract differ, the contract decides.</Paragraph>
      <Heading level={2}>Position</Heading>
      <KeyValues
        width={width}
        entries={[
          ["Name", employee.name],
          ["Employee number", employee.ref],
          ["Role", employee.role],
          ["Team", employee.team],
          ["Manager", employee.manager],
          ["Workplace", employee.workplace],
          ["First working day", formatDayLong(employee.startDate)],
        ]}
      />
      <Heading level={2}>Terms</Heading>
      <KeyValues
        width={width}
        entries={[
          ["Contract", CONTRACT[offer.contract]],
          ...(offer.endDate === undefined ? [] : [["Last day", formatDayLong(offer.endDate)] as const]),
          [
            "Salary before tax",
            `${offer.currency} ${formatDecimal(parseDecimal(offer.salary, 2), 2)} per ${offer.salaryPer}`,
          ],
          ["Working hours", `${offer.hoursPerWeek} per week`],
          ["Holiday", `${offer.holidayDays} days per year`],
          ["Probation", offer.probationMonths === 0 ? "None" : `${offer.probationMonths} months`],
          ["Notice", offer.noticePeriod],
        ]}
      />
      {offer.benefits.length === 0 ? null : (
        <>
          <Heading level={2}>Benefits</Heading>
          <List items={offer.benefits} width={MEASURE} />
        </>
      )}
    </Sheet>
  );
}

const CONTRACT = {
  permanent: "Permanent",
  "fixed-term": "For a fixed term",
  apprenticeship: "Apprenticeship",
} as const;

function acknowledgement(input: Input): ReactElement {
  const { employee } = input.payload;
  const width = contentWidth(input.letterhead.paper);
  const policies = input.manifest.parts.filter((part) => part.type === "file").map((part) => part.title);
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <Heading level={1} isFirst>
        Acknowledgement
      </Heading>
      <Paragraph>Please print this page, fill in the blanks, sign it and bring it on your first day.</Paragraph>
      {policies.length === 0 ? null : (
        <>
          <Heading level={2}>I have received and read</Heading>
          <Acknowledged titles={policies} width={width} />
        </>
      )}
      <Heading level={2}>Your details</Heading>
      <Blanks
        width={width}
        blanks={[
          { label: "Name", value: employee.name },
          { label: "Employee number", value: employee.ref },
        ]}
      />
      <Blanks width={width} blanks={[{ label: "Date of birth" }, { label: "Tax number" }]} />
      <Blanks width={width} blanks={[{ label: "Account for salary (IBAN)" }, { label: "Bank" }]} />
      <Blanks width={width} blanks={[{ label: "Emergency contact" }, { label: "Telephone" }]} />
      <Heading level={2}>Signature</Heading>
      <Blanks width={width} blanks={[{ label: "Place and date" }, { label: "Signature" }]} />
    </Sheet>
  );
}

const ONE_COLUMN_MAX = 6;
const COLUMN_GAP = 8 * MM;

/** Boxes to tick; many of them in two columns, so that the signature stays near what is signed. */
function Acknowledged({ titles, width }: { readonly titles: readonly string[]; readonly width: number }) {
  if (titles.length <= ONE_COLUMN_MAX) return <List items={titles} mark="check" width={MEASURE} />;
  const half = Math.ceil(titles.length / 2);
  const each = (width - COLUMN_GAP) / 2;
  return (
    <Beside gap={COLUMN_GAP}>
      <List items={titles.slice(0, half)} mark="check" width={each} />
      <List items={titles.slice(half)} mark="check" width={each} />
    </Beside>
  );
}

function footer(input: Input) {
  return { title: "Onboarding packet", period: formatDay(input.payload.employee.startDate) };
}
