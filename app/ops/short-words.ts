import { durationWords } from "../_components/words";

/** "14 ms" below a second, where the difference counts; above it as elsewhere. */
export function shortWords(ms: number): string {
  return ms < 950 ? `${Math.round(ms)} ms` : durationWords(ms);
}
