import { counted, numberWords } from "../../_components/words";

export interface Outcome {
  readonly task: "redrive" | "discard";
  readonly done: readonly { readonly newJobId: string | null }[];
  readonly refused: readonly { readonly code: string }[];
  readonly left: number;
}

/** Says what became of a redrive or a discard: how many, how many not and why, how many are left. */
export function outcomeWords({ task, done, refused, left }: Outcome): string {
  const verb = task === "redrive" ? "redriven" : "discarded";
  const reasons = new Map<string, number>();
  for (const { code } of refused) reasons.set(code, (reasons.get(code) ?? 0) + 1);
  const why = [...reasons].map(([code, count]) => `${numberWords(count)} ${REFUSALS[code] ?? code}`).join(", ");
  return [
    `${counted(done.length, "dead letter")} ${verb}.`,
    refused.length === 0 ? null : `Not touched: ${why}.`,
    left === 0 ? null : `${numberWords(left)} more match; do the same again for them.`,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

const REFUSALS: Readonly<Record<string, string>> = {
  source_missing: "whose input is erased",
  not_dead_letter: "that wait for nobody any more",
  lane_closed: "in a lane that takes no new work now",
  too_many_outstanding: "of a tenant with too much waiting already",
};
