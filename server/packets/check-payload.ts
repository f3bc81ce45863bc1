import type { z } from "zod";
import { type Finding, PacketFailure } from "@/server/domain/failure";
import type { PacketKind } from "./kind";

const FINDINGS_MAX = 200;

/**
 * Returns the payload normalised by the kind's schema and passed by its rules; throws `payload_invalid` with a finding per field. Called
 * at admission and again by the worker, so that both mean the same. [C88,C115,C116]
 */
export function checkPayload(kind: PacketKind, payload: unknown, today: string): unknown {
  const parsed = parsePayload(kind, payload);
  applyRules(kind, parsed, today);
  return parsed;
}

/** Returns the payload normalised by the kind's schema: what it means, whatever day it is. Throws `payload_invalid`. */
export function parsePayload(kind: PacketKind, payload: unknown): unknown {
  const parsed = kind.payload.safeParse(payload);
  if (parsed.success) return parsed.data;
  const findings = parsed.error.issues.flatMap((issue) => findingsOf(issue, []));
  throw new PacketFailure("payload_invalid", { findings: findings.slice(0, FINDINGS_MAX) });
}

/** Holds a parsed payload against the kind's rules as they are on this day. Throws `payload_invalid`. */
export function applyRules(kind: PacketKind, payload: unknown, today: string): void {
  const findings = kind.rules(payload, { today });
  if (findings.length > 0) throw new PacketFailure("payload_invalid", { findings: findings.slice(0, FINDINGS_MAX) });
}

/** Where one of several forms is allowed, what is wrong is said of the form that was meant: the one whose type the value has. */
function findingsOf(issue: z.core.$ZodIssue, outer: Finding["path"]): Finding[] {
  const path = [...outer, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  const meant = issue.code === "invalid_union" ? issue.errors.find((branch) => !branch.some(isWrongType)) : undefined;
  if (meant !== undefined && meant.length > 0) return meant.flatMap((inner) => findingsOf(inner, path));
  return [{ path, code: issue.code, message: issue.message }];
}

function isWrongType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && issue.code === "invalid_type";
}

/** Returns the calendar day at `instant` in an IANA time zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
}
