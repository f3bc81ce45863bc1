import type { PublicState } from "@/server/domain/job";

export type ShownState = PublicState;

/** The states a list can be narrowed to, in the order of a packet's life. */
export const PUBLIC_STATES = ["queued", "running", "succeeded", "failed"] as const satisfies readonly PublicState[];

export const STATE_WORDS: Record<PublicState, string> = {
  queued: "Waiting",
  running: "Being made",
  succeeded: "Archived",
  failed: "Failed",
};
