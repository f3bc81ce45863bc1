import { PacketFailure } from "@/server/domain/failure";
import type { PacketKind } from "./kind";

const FINDINGS_MAX = 200;

/**
 * Returns the payload normalised by the kind's schema and passed by its rules; throws `payload_invalid` with a finding per field. Called
 * at admission and again by the worker, so that both mean the same. [C88,C115,C116]
 */
export function checkPayload(kind: PacketKind, payload: unknown, today: string): unknown {
  const parsed = kind.payload.safeParse(payload);
  if (!parsed.success) {
    const findings = parsed.error.issues.slice(0, FINDINGS_MAX).map((issue) => ({
      path: issue.path.map((step) => (typeof step === "symbol" ? String(step) : step)),
      code: issue.code,
      message: issue.message,
    }));
    throw new PacketFailure("payload_invalid", { findings });
  }
  const findings = kind.rules(parsed.data, { today });
  if (findings.length > 0) throw new PacketFailure("payload_invalid", { findings: findings.slice(0, FINDINGS_MAX) });
  return parsed.data;
}

/** Returns the calendar day at `instant` in an IANA time zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
}
