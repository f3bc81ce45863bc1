import { View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { formatDay, formatDayShort, formatPeriod } from "../calendar";
import { divideRounded, formatCount } from "../decimal";
import type { DocumentInput, TemplateModule } from "../kind";
import { BarChart } from "../stationery/bar-chart";
import { Cover } from "../stationery/cover";
import { KeyFigures } from "../stationery/key-figures";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { TABLE_START, Table } from "../stationery/table";
import { Heading, Label, Paragraph, Prose } from "../stationery/text";
import { belowGoal, formatTenths, pupilsOf, shareTenths, tenths, weightedTenths } from "./figures";
import type { MonthlyReport } from "./schema";

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
        ["Revision", `${revision.number}`],
      ]}
      footer={footer(input)}
    />
  );
}

function summary(input: Input): ReactElement {
  const { metrics, weeks, classes, summary } = input.payload;
  const width = contentWidth(input.letterhead.paper);
  return (
    <Sheet input={input} head="running" {...footer(input)}>
      <Heading level={1} isFirst>
        Summary
      </Heading>
      <KeyFigures
        width={width}
        figures={[
          {
            label: "Pupils",
            value: formatCount(metrics.enrolment),
            note: `${metrics.joined} joined, ${metrics.left} left`,
          },
          {
            label: "Attendance",
            value: `${formatTenths(weightedTenths(classes, (row) => row.attendance))} %`,
            note: `Goal ${formatTenths(tenths(metrics.attendanceTarget))} %`,
          },
          {
            label: "Average mark",
            value: formatTenths(weightedTenths(classes, (row) => row.averageMark)),
            note: "From 0 to 100",
          },
          { label: "Teaching staff", value: formatCount(metrics.staff), note: pupilsPerTeacher(metrics) },
        ]}
      />
      <Prose>{summary}</Prose>
      <View style={{ marginTop: 10 }}>
        <BarChart
          title="Attendance by week, in per cent"
          max={100}
          width={width}
          color={input.letterhead.accent}
          bars={weeks.map((week) => ({
            label: `Week of ${formatDayShort(week.starting)}`,
            value: week.attendance,
            text: formatTenths(tenths(week.attendance)),
          }))}
          goal={{ value: metrics.attendanceTarget, text: `Goal ${formatTenths(tenths(metrics.attendanceTarget))}` }}
        />
      </View>
      <BelowGoal input={input} width={width} />
    </Sheet>
  );
}

function pupilsPerTeacher({ enrolment, staff }: MonthlyReport["metrics"]): string {
  return staff === 0 ? "" : `${formatTenths(divideRounded(BigInt(enrolment) * 10n, BigInt(staff), 0))} pupils each`;
}

const BELOW_GOAL_ROWS = 5;

/** The few classes that need attention first; the whole list follows on the next pages. */
function BelowGoal({ input, width }: { readonly input: Input; readonly width: number }) {
  const below = belowGoal(input.payload);
  const { metrics, classes } = input.payload;
  if (below.length === 0) return <Paragraph>Every class reached the attendance goal.</Paragraph>;
  return (
    <>
      <Heading level={2} ahead={TABLE_START}>
        Furthest below the goal
      </Heading>
      <Label
        after={6}
      >{`${below.length} of ${classes.length} classes are below the goal of ${formatTenths(tenths(metrics.attendanceTarget))} %.`}</Label>
      <Table
        width={width}
        columns={[
          { title: "Class", share: 14 },
          { title: "Teacher", share: 54 },
          { title: "Attendance %", share: 16, align: "right" },
          { title: "Points below", share: 16, align: "right" },
        ]}
        rows={below
          .slice(0, BELOW_GOAL_ROWS)
          .map((row) => [
            row.name,
            row.teacher,
            formatTenths(tenths(row.attendance)),
            formatTenths(tenths(metrics.attendanceTarget) - tenths(row.attendance)),
          ])}
      />
    </>
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

function footer(input: Input) {
  return { title: `Monthly report, ${input.payload.school.name}`, period: formatPeriod(input.payload.period) };
}
