import type { DiscardReason, RedriveReason } from "@/server/domain/dead-letter";

/** What operators may say why they redrive. */
export const REDRIVE_WORDS: Record<RedriveReason, string> = {
  cause_mended: "What stopped it has been mended",
  outage_over: "An outage is over",
  capacity_added: "There is more room or time for it now",
  asked_by_tenant: "The tenant asked for it",
};

/** What operators may say why they discard. */
export const DISCARD_WORDS: Record<DiscardReason, string> = {
  not_needed: "Nobody needs it any more",
  cannot_be_made: "It cannot be made as it is",
  made_otherwise: "It was made in another way",
  asked_by_tenant: "The tenant asked for it",
};
