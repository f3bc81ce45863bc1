import type { Finding } from "@/server/domain/failure";
import { addDays } from "../calendar";
import { parseDecimal } from "../decimal";
import type { RuleContext } from "../kind";
import type { OnboardingPacket } from "./schema";

/** Returns what is wrong with a packet whose form is right: dates that cannot be, amounts of nothing, a policy bound twice. */
export function onboardingRules(payload: OnboardingPacket, context: RuleContext): Finding[] {
  const { employee, offer, policies } = payload;
  const findings: Finding[] = [];
  if (employee.startDate < context.today) {
    findings.push(finding(["employee", "startDate"], "start_date_passed", "The first working day has passed."));
  }
  if (employee.startDate > addDays(context.today, 730)) {
    findings.push(finding(["employee", "startDate"], "start_date_too_far", "Choose a day within the next two years."));
  }
  if (parseDecimal(offer.salary, 2) === 0n) {
    findings.push(finding(["offer", "salary"], "salary_zero", "Write the salary that was agreed."));
  }
  if (offer.contract === "fixed-term" && offer.endDate === undefined) {
    findings.push(finding(["offer", "endDate"], "end_date_missing", "A fixed-term contract needs its last day."));
  }
  if (offer.endDate !== undefined && offer.endDate <= employee.startDate) {
    findings.push(finding(["offer", "endDate"], "end_before_start", "The last day must come after the first."));
  }
  for (const [index, id] of policies.entries()) {
    if (policies.indexOf(id) < index) {
      findings.push(finding(["policies", index], "duplicate_policy", "This document is chosen twice."));
    }
  }
  return findings;
}

function finding(path: Finding["path"], code: string, message: string): Finding {
  return { path, code, message };
}
