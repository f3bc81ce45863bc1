import { View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { formatDay, formatDayLong } from "../calendar";
import { formatDecimal, parseDecimal } from "../decimal";
import type { DocumentInput, TemplateModule } from "../kind";
import { KeyValues } from "../stationery/key-values";
import { contentWidth, MEASURE, MM } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { Blanks } from "../stationery/signature";
import { Heading, Label, List, Paragraph, Prose } from "../stationery/text";
import type { OnboardingPacket } from "./schema";

type Input = DocumentInput<OnboardingPacket>;

export const documents: TemplateModule<OnboardingPacket>["documents"] = {
  welcome: (input) => ({ flow: "whole", element: welcome(input) }),
  offer: (input) => ({ flow: "whole", element: offer(input) }),
  acknowledgement: (input) => ({ flow: "whole", element: acknowledgement(input) }),
};

function welcome(input: Input): ReactElement {
  const { employee, firstDay, note, signatory } = input.payload;
  return (
    <Sheet input={input} head="letter" {...footer(input)}>
      <Label color="#1b1f24" size={10}>
        {employee.name}
      </Label>
      <Label size={10}>{employee.email}</Label>
      <View style={{ marginTop: 10 * MM, marginBottom: 8 * MM }}>
        <Label size={10}>{formatDay(input.revision.preparedOn)}</Label>
      </View>
      <Heading level={1} isFirst>{`Welcome, ${employee.name}`}</Heading>
      <Paragraph size={11}>
        {`We are glad that you are joining ${input.letterhead.tenantName} as ${employee.role} in ${employee.team}. Your first working day is ${formatDayLong(employee.startDate)}. You will work with ${employee.manager}, at ${employee.workplace}.`}
      </Paragraph>
      {note === undefined ? null : <Prose size={11}>{note}</Prose>}
      <Heading level={3}>Your first morning</Heading>
      <Paragraph size={11}>{`Please come at ${firstDay.arriveAt} and ask for ${firstDay.askFor}.`}</Paragraph>
      {firstDay.bring.length === 0 ? null : (
        <>
          <Paragraph size={11}>Please bring with you:</Paragraph>
          <List items={firstDay.bring} />
        </>
      )}
      <Heading level={3}>What is in this packet</Heading>
      <List items={input.manifest.parts.filter((part) => part.position > 1).map((part) => part.title)} />
      <View wrap={false} style={{ marginTop: 8 * MM }}>
        <Paragraph size={11}>With kind regards</Paragraph>
        <View style={{ height: 14 * MM }} />
        <Label color="#1b1f24" size={10}>
          {signatory.name}
        </Label>
        <Label size={10}>{`${signatory.role}, ${input.letterhead.tenantName}`}</Label>
      </View>
    </Sheet>
  );
}

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
          ["Contract", offer.contract],
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
          <Heading level={3}>I have received and read</Heading>
          <List items={policies} />
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

function footer(input: Input) {
  return { title: "Onboarding packet", period: formatDay(input.payload.employee.startDate) };
}
