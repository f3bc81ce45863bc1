import type { Finding } from "@/server/domain/failure";
import { addDays } from "../calendar";
import type { RuleContext } from "../kind";
import type { BoardBook } from "./schema";

const SOURCES_MAX = 500;

/** Returns what stands in the way of binding: a meeting that is over or absurdly far, too many files, a file bound twice. */
export function boardBookRules(payload: BoardBook, context: RuleContext): Finding[] {
  const findings: Finding[] = [];
  const { date } = payload.meeting;
  if (date < context.today) {
    findings.push({ path: ["meeting", "date"], code: "meeting_passed", message: "This day has passed." });
  }
  if (date > addDays(context.today, 730)) {
    findings.push({
      path: ["meeting", "date"],
      code: "meeting_too_far",
      message: "Choose a day within the next two years.",
    });
  }
  const seen = new Set<string>();
  let sources = 0;
  for (const [sectionIndex, section] of payload.sections.entries()) {
    for (const [index, entry] of section.sources.entries()) {
      sources += 1;
      if (seen.has(entry.source)) {
        findings.push({
          path: ["sections", sectionIndex, "sources", index, "source"],
          code: "duplicate_source",
          message: "This file is in the book already.",
        });
      }
      seen.add(entry.source);
    }
  }
  if (sources > SOURCES_MAX) {
    findings.push({
      path: ["sections"],
      code: "too_many_sources",
      message: `A book holds at most ${SOURCES_MAX} files; this one has ${sources}.`,
    });
  }
  return findings;
}
