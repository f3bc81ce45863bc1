import type { CheckName } from "@/server/domain/acceptance";
import type { StageName } from "@/server/domain/job";

/** Each stage as it reads while it runs, and once it is done. */
export const STAGE_WORDS: Record<StageName, { readonly now: string; readonly title: string }> = {
  accept: { now: "accepting", title: "Accepted" },
  validate: { now: "checking the input", title: "Input checked" },
  fetch: { now: "fetching the files", title: "Files fetched" },
  render: { now: "making the pages", title: "Pages made" },
  watermark: { now: "preparing the watermark", title: "Watermark" },
  assemble: { now: "putting everything in order", title: "Put in order" },
  verify: { now: "checking the finished file", title: "Finished file checked" },
  publish: { now: "archiving", title: "Archived" },
  erase: { now: "removing working copies", title: "Working copies removed" },
};

/** What each check of the publish gate says to people. */
export const CHECK_WORDS: Record<CheckName, string> = {
  signature: "The file is a whole PDF, from its first byte to its last",
  structure: "Its structure is sound",
  every_page_readable: "Every page can be read",
  page_count: "It has exactly the pages it should have",
  metadata: "Title and language are set",
  fonts_embedded: "Fonts are inside the file",
  no_active_content: "Nothing in it runs by itself",
  not_encrypted: "It opens without a password",
  size: "Its size is within limits",
};

const HISTORY_WORDS: Readonly<Record<string, string>> = {
  "packet.submitted": "Submitted",
  "packet.completed": "Archived",
  "packet.retry_wait": "Put off until another try",
  "packet.validation_failed": "Failed",
  "packet.dead_letter": "Given up after the last try",
  "packet.cancelled": "Stopped",
  "packet.redriven": "Tried again in a new job",
  "packet.discarded": "Closed for good",
  "link.issued": "Asked for a download link",
  "artifact.downloaded": "Downloaded",
  "artifact.viewed": "Opened on this page",
};

/** Returns what an audit event means to the people of a packet. */
export function historyWords(action: string): string {
  return HISTORY_WORDS[action] ?? action.replace(/^[a-z]+\./, "").replaceAll("_", " ");
}
