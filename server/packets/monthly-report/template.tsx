import type { ReactElement } from "react";
import { formatDay, formatDayShort, formatPeriod } from "../calendar";
import { formatCount } from "../decimal";
import type { DocumentInput, TemplateModule } from "../kind";
import { revisionWords } from "../revision-words";
import { Cover } from "../stationery/cover";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { TABLE_START, Table } from "../stationery/table";
import { Heading, Paragraph, Prose } from "../stationery/text";
import { formatTenths, pupilsOf, shareTenths, tenths, weightedTenths } from "./figures";
import { footer } from "./footer";
import type { MonthlyReport } from "./schema";
import { summary } from "./summary-page";

type Input = DocumentInput<MonthlyReport>;

export const documents: TemplateModule<MonthlyReport>["documents"] = {
  cover: (input) => ({ flow: "whole", element: cover(input) }),
  summary: (input) => ({ flow: "whole", element: summary(input) }),
  classes: (input) => ({ flow: "whole", element: classes(input) }),
  details: (input) => ({ flow: "whole", element: details(input) }),
};

function cover(input: Input): ReactElement {
  const { payload, revision } = input;
  return (
    <Cover
      input={input}
      kicker="Monthly report"
      title={payload.school.name}
      subtitle={formatPeriod(payload.period)}
      lead={payload.headline}
      facts={[
        ["Prepared by", payload.preparedBy],
        ["Prepared on", formatDay(revision.preparedOn)],
        ["School code", payload.school.ref],
        ["Revision", revisionWords(revision)],
      ]}
      footer={footer(input)}
    />
  );
}

function classes(input: Input): ReactElement {
  const { classes } = input.payload;
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <Heading level={1} isFirst ahead={TABLE_START}>
        Classes
      </Heading>
      <Table
        width={contentWidth(input.letterhead.paper)}
        columns={[
          { title: "Class", share: 14 },
          { title: "Teacher", share: 44 },
          { title: "Pupils", share: 12, align: "right" },
          { title: "Attendance %", share: 16, align: "right" },
          { title: "Average mark", share: 16, align: "right" },
        ]}
        rows={classes.map((row) => [
          row.name,
          row.teacher,
          formatCount(row.pupils),
          formatTenths(tenths(row.attendance)),
          formatTenths(tenths(row.averageMark)),
        ])}
        totals={[
          "All classes",
          "",
          formatCount(pupilsOf(classes)),
          formatTenths(weightedTenths(classes, (row) => row.attendance)),
          formatTenths(weightedTenths(classes, (row) => row.averageMark)),
        ]}
      />
    </Sheet>
  );
}

function details(input: Input): ReactElement {
  const { subjects, incidents, notes } = input.payload;
  const width = contentWidth(input.letterhead.paper);
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      {subjects.length === 0 ? null : (
        <>
          <Heading level={1} isFirst ahead={TABLE_START}>
            Subjects
          </Heading>
          <Table
            width={width}
            columns={[
              { title: "Subject", share: 44 },
              { title: "Assessed", share: 14, align: "right" },
              { title: "Average mark", share: 16, align: "right" },
              { title: "Passed", share: 14, align: "right" },
              { title: "Passed %", share: 14, align: "right" },
            ]}
            rows={subjects.map((row) => [
              row.name,
              formatCount(row.pupils),
              formatTenths(tenths(row.averageMark)),
              formatCount(row.passed),
              formatTenths(shareTenths(row.passed, row.pupils)),
            ])}
          />
        </>
      )}
      {incidents.length === 0 ? null : (
        <>
          <Heading level={2} ahead={TABLE_START}>
            Incidents
          </Heading>
          <Table
            width={width}
            columns={[
              { title: "Date", share: 14 },
              { title: "Category", share: 14 },
              { title: "What happened", share: 38 },
              { title: "What was done", share: 34 },
            ]}
            rows={incidents.map((row) => [formatDayShort(row.date), CATEGORY[row.category], row.summary, row.action])}
          />
        </>
      )}
      {notes === undefined ? null : (
        <>
          <Heading level={2}>Notes</Heading>
          <Prose>{notes}</Prose>
        </>
      )}
      {incidents.length === 0 ? <Paragraph>No incidents were reported this month.</Paragraph> : null}
    </Sheet>
  );
}

const CATEGORY = {
  illness: "Illness",
  accident: "Accident",
  behaviour: "Behaviour",
  property: "Property",
  other: "Other",
} as const satisfies Record<MonthlyReport["incidents"][number]["category"], string>;
