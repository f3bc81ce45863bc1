import { addDays, addMonths, lastDayOf, periodOf, weekdayOf } from "../calendar";
import type { KindSamples, Sample } from "../kind";
import { chanceOf, nameOf } from "../sampling";
import type { MonthlyReport } from "./schema";

const TODAY = "2026-12-01";

function typicalOn(today: string): Sample<MonthlyReport> {
  return { payload: reportOf({ today, classes: 18, subjects: 10, incidents: 3, seed: 14 }), today, files: [] };
}

interface Shape {
  readonly today: string;
  readonly classes: number;
  readonly subjects: number;
  readonly incidents: number;
  readonly seed: number;
}

function reportOf({ today, classes, subjects, incidents, seed }: Shape): MonthlyReport {
  const chance = chanceOf(seed);
  const period = addMonths(periodOf(today), -1);
  const rows = Array.from({ length: classes }, (_, index) => ({
    name: `${5 + (Math.floor(index / 3) % 8)}${"ABC".charAt(index % 3)}${index >= 24 ? `-${Math.floor(index / 24)}` : ""}`,
    teacher: nameOf(chance),
    pupils: chance.between(18, 29),
    attendance: chance.between(905, 975) / 10,
    averageMark: chance.between(560, 820) / 10,
  }));
  const enrolment = rows.reduce((sum, row) => sum + row.pupils, 0);
  return {
    school:
      classes > 100
        ? { ref: "S-200", name: "Northern Federation of Schools" }
        : { ref: "S-014", name: "Östra Park School" },
    period,
    preparedBy: "Henrik Åkesson, head teacher",
    headline: "Attendance recovered after the autumn illness wave, and every class is taught by its own teacher again.",
    summary: SUMMARY,
    metrics: {
      enrolmentAtStart: enrolment - 3,
      joined: 6,
      left: 3,
      enrolment,
      staff: Math.round(enrolment / 12),
      attendanceTarget: 95,
    },
    weeks: mondaysOf(period).map((starting, index) => ({
      starting,
      attendance: [91.6, 93.2, 94.5, 95.4, 95.9][index] ?? 95,
    })),
    classes: rows,
    subjects: Array.from({ length: subjects }, (_, index) => {
      const pupils = chance.between(Math.floor(enrolment * 0.7), enrolment);
      return {
        name:
          index < SUBJECTS.length
            ? (SUBJECTS[index] ?? "")
            : `${SUBJECTS[index % SUBJECTS.length]}, group ${Math.floor(index / SUBJECTS.length) + 1}`,
        pupils,
        averageMark: chance.between(580, 790) / 10,
        passed: Math.floor((pupils * chance.between(78, 97)) / 100),
      };
    }),
    incidents: Array.from({ length: incidents }, (_, index) => ({
      date: addDays(`${period}-03`, (index * 5) % 24),
      ...(INCIDENTS[index % INCIDENTS.length] ?? INCIDENTS[0]),
    })),
    notes:
      "The library reopens in January with longer hours on Thursdays. Parents' evening moves to the second week of the new term.",
  };
}

function mondaysOf(period: string): string[] {
  const first = `${period}-01`;
  const monday = addDays(first, (8 - weekdayOf(first)) % 7);
  return [0, 7, 14, 21, 28].map((days) => addDays(monday, days)).filter((day) => day <= lastDayOf(period));
}

const SUMMARY = `Attendance rose in each week of the month and reached the goal in the last two. The illness wave that began in October has passed; the cleaning plan agreed with the authority stays in place until the winter holiday.

Marks are stable. Mathematics in the seventh year remains the weakest result and receives a second teacher for two lessons a week from January. Three pupils moved away and six joined, most of them in the lower years.`;

const SUBJECTS = [
  "Mathematics",
  "Swedish",
  "English",
  "Natural sciences",
  "History",
  "Geography",
  "Music",
  "Art and crafts",
  "Physical education",
  "Home economics",
];

const INCIDENTS = [
  {
    category: "property",
    summary: "A pipe burst in the east wing; two classrooms were closed for a day.",
    action: "Repaired the same week. The floor is replaced in the holidays.",
  },
  {
    category: "illness",
    summary: "Stomach illness in the fifth year, eleven pupils over four days.",
    action: "Kitchen inspected, nothing found. Extra cleaning until the end of the month.",
  },
  {
    category: "accident",
    summary: "A pupil fell from the climbing frame and broke a wrist.",
    action: "Ambulance called, parents informed. The frame was checked and is in order.",
  },
] as const satisfies readonly [
  MonthlyReport["incidents"][number] extends infer Row ? Omit<Row, "date"> : never,
  ...unknown[],
];

/** Synthetic schools. */
export const samples: KindSamples<MonthlyReport> = {
  typical: typicalOn(TODAY),
  typicalOn,
  largest: {
    payload: reportOf({ today: TODAY, classes: 400, subjects: 60, incidents: 40, seed: 7 }),
    today: TODAY,
    files: [],
  },
  invalid: { payload: { ...typicalOn(TODAY).payload, period: "2027-01" }, code: "period_in_future" },
};
