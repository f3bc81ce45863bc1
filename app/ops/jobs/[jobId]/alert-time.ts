import { durationWords } from "../../../_components/words";

/** Returns the instant that an address or a field names, read as UTC where it names no zone; null where it names none. */
export function instantIn(text: string | null): Date | null {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return null;
  const at = new Date(/(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Returns an instant as a field for date and time holds it, in UTC. */
export function textOf(at: Date): string {
  return at.toISOString().slice(0, 19);
}

/** Returns how far a phase lay from an alert: "12 s before it", "4 min after it"; what was not reached says so. [C432] */
export function distanceWords(phase: Date | null, alert: Date): string {
  if (phase === null) return "not yet";
  const ms = phase.getTime() - alert.getTime();
  if (Math.abs(ms) < 1_000) return "at the same time";
  return `${durationWords(Math.abs(ms))} ${ms < 0 ? "before it" : "after it"}`;
}
