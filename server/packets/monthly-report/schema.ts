import { z } from "zod";
import { count, day, line, percent, period, prose, reference } from "../fields";

const school = z
  .strictObject({
    ref: reference().meta({ title: "School code", description: "As the authority knows it.", examples: ["S-014"] }),
    name: line(160).meta({ title: "School", description: "The name on the cover.", examples: ["Östra Park School"] }),
  })
  .meta({ title: "School", description: "Whose report this is." });

const metrics = z
  .strictObject({
    enrolmentAtStart: count(20_000).meta({
      title: "Pupils at the start of the month",
      examples: [412],
      description: "On the first day.",
    }),
    joined: count(20_000).meta({ title: "Joined", examples: [6], description: "Pupils who came during the month." }),
    left: count(20_000).meta({ title: "Left", examples: [3], description: "Pupils who went during the month." }),
    enrolment: count(20_000, 1).meta({
      title: "Pupils at the end of the month",
      description: "Start plus joined less left; also the sum of the classes.",
      examples: [415],
    }),
    staff: count(5_000).meta({
      title: "Teaching staff",
      description: "People, not full-time equivalents.",
      examples: [34],
    }),
    attendanceTarget: percent().meta({
      title: "Attendance goal (%)",
      description: "What the school aims at.",
      examples: [95],
    }),
  })
  .meta({ title: "Figures", description: "The month in numbers." });

const week = z.strictObject({
  starting: day().meta({
    title: "Week starting",
    description: "The first school day of the week.",
    examples: ["2026-11-02"],
  }),
  attendance: percent().meta({ title: "Attendance (%)", description: "Whole school.", examples: [94.6] }),
});

const classRow = z.strictObject({
  name: line(40).meta({ title: "Class", description: "Short name.", examples: ["7B"] }),
  teacher: line(120).meta({ title: "Teacher", description: "Form teacher.", examples: ["Amélie Durand"] }),
  pupils: count(2_000, 1).meta({ title: "Pupils", description: "At the end of the month.", examples: [27] }),
  attendance: percent().meta({ title: "Attendance (%)", description: "Over the month.", examples: [95.2] }),
  averageMark: percent().meta({ title: "Average mark", description: "From 0 to 100.", examples: [71.4] }),
});

const subjectRow = z.strictObject({
  name: line(80).meta({ title: "Subject", description: "As on the timetable.", examples: ["Mathematics"] }),
  pupils: count(20_000, 1).meta({ title: "Pupils assessed", description: "During the month.", examples: [398] }),
  averageMark: percent().meta({ title: "Average mark", description: "From 0 to 100.", examples: [68.2] }),
  passed: count(20_000).meta({ title: "Passed", description: "Pupils at or above the pass mark.", examples: [341] }),
});

const incident = z.strictObject({
  date: day().meta({ title: "Date", description: "Within the month.", examples: ["2026-11-17"] }),
  category: z
    .enum(["illness", "accident", "behaviour", "property", "other"], { error: "Choose a category." })
    .meta({ title: "Category", description: "What it was about.", examples: ["property"] }),
  summary: line(500).meta({
    title: "What happened",
    description: "Without names of pupils.",
    examples: ["A pipe burst in the east wing; two rooms were closed for a day."],
    widget: "textarea",
  }),
  action: line(500).meta({
    title: "What was done",
    description: "And what remains to be done.",
    examples: ["Repaired; floor to be replaced in the holidays."],
    widget: "textarea",
  }),
});

/** What a revision of a monthly report must contain. */
export const MonthlyReport = z
  .strictObject({
    school,
    period: period().meta({
      title: "Month",
      description: "The month this report is about.",
      examples: ["2026-11"],
      widget: "period",
    }),
    preparedBy: line(120).meta({
      title: "Prepared by",
      description: "Name on the cover.",
      examples: ["Henrik Åkesson, head teacher"],
    }),
    headline: line(240).meta({
      title: "Headline",
      description: "The month in one sentence.",
      examples: ["Attendance recovered after the autumn illness wave."],
    }),
    summary: prose(3_000).meta({
      title: "Summary",
      description: "A few paragraphs for the board.",
      examples: ["Attendance rose in each week of the month."],
      widget: "textarea",
    }),
    metrics,
    weeks: z
      .array(week)
      .min(1, { error: "Add at least one week." })
      .max(6, { error: "A month has at most six weeks." })
      .meta({ title: "Attendance by week", description: "Shown as a chart.", examples: [] }),
    classes: z
      .array(classRow)
      .min(1, { error: "Add at least one class." })
      .max(600, { error: "Add at most 600 classes." })
      .meta({ title: "Classes", description: "One row per class.", examples: [] }),
    subjects: z
      .array(subjectRow)
      .max(200, { error: "Add at most 200 subjects." })
      .meta({ title: "Subjects", description: "One row per subject.", examples: [] }),
    incidents: z
      .array(incident)
      .max(200, { error: "Add at most 200 incidents." })
      .meta({ title: "Incidents", description: "Leave empty where there were none.", examples: [] }),
    notes: prose(3_000)
      .optional()
      .meta({
        title: "Notes",
        description: "Anything else the board should know.",
        examples: ["The library reopens in January."],
        widget: "textarea",
      }),
  })
  .meta({ title: "Monthly report", description: "A school's month: figures, classes, subjects, incidents." });
export type MonthlyReport = z.infer<typeof MonthlyReport>;
