import type { ReactElement } from "react";
import { formatDayShort } from "../calendar";
import { divideRounded, formatCount } from "../decimal";
import type { DocumentInput } from "../kind";
import { BarChart } from "../stationery/bar-chart";
import { Block } from "../stationery/block";
import { KeyFigures } from "../stationery/key-figures";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { TABLE_START, Table } from "../stationery/table";
import { Heading, Label, Paragraph, Prose } from "../stationery/text";
import { belowGoal, formatTenths, tenths, weightedTenths } from "./figures";
import { footer } from "./footer";
import type { MonthlyReport } from "./schema";

type Input = DocumentInput<MonthlyReport>;

/** The month on one page: four figures, the words of the head, the weeks as a chart, the classes that need attention. */
export function summary(input: Input): ReactElement {
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
      <Block before={10}>
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
      </Block>
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
