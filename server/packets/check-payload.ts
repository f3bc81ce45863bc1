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

/** Returns the payload normalised by the kind's schema: what it means, whatever day it is. Throws `payload_invalid` or `source_unversioned`. */
export function parsePayload(kind: PacketKind, payload: unknown): unknown {
  const parsed = kind.payload.safeParse(payload);
  if (parsed.success) return parsed.data;
  const findings = parsed.error.issues.flatMap((issue) => findingsOf(issue, []));
  throw refusalFor(findings);
}

/** Holds a parsed payload against the kind's rules as they are on this day. Throws `payload_invalid`. */
export function applyRules(kind: PacketKind, payload: unknown, today: string): void {
  const findings = kind.rules(payload, { today });
  if (findings.length > 0) throw refusalFor(findings);
}

/** Returns the refusal of a payload. A source that is not pinned down is a fault of its own: first its versions, then the packet. [C14] */
export function refusalFor(findings: readonly Finding[]): PacketFailure {
  const isUnversioned = findings.some(({ code }) => code === "source_unversioned");
  const code = isUnversioned ? "source_unversioned" : "payload_invalid";
  return new PacketFailure(code, { findings: findings.slice(0, FINDINGS_MAX) });
}

/** Where one of several forms is allowed, what is wrong is said of the form that was meant: the one whose type the value has. */
function findingsOf(issue: z.core.$ZodIssue, outer: Finding["path"]): Finding[] {
  const path = [...outer, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  const meant = issue.code === "invalid_union" ? issue.errors.find((branch) => !branch.some(isWrongType)) : undefined;
  if (meant !== undefined && meant.length > 0) return meant.flatMap((inner) => findingsOf(inner, path));
  return [{ path, code: codeOf(issue), message: issue.message }];
}

/** A field may say itself by which code it refuses. */
function codeOf(issue: z.core.$ZodIssue): string {
  const own = issue.code === "custom" ? issue.params?.code : undefined;
  return typeof own === "string" ? own : issue.code;
}

function isWrongType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && issue.code === "invalid_type";
}

/** Returns the calendar day at `instant` in an IANA time zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
}
