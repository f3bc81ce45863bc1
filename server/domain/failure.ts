/** One failed rule: where in the payload, which rule, and what to do in plain words. */
export interface Finding {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

export type Disposition = "permanent" | "transient";

interface FailurePolicy {
  /** Permanent: repeating it would only burn capacity. Transient: another attempt may succeed. */
  readonly disposition: Disposition;
  readonly http: number;
  /** What people read. It says what to do and holds no content. */
  readonly publicMessage: string;
  /** Attempts allowed for this code where it is fewer than the job's own limit. */
  readonly attemptsMax?: number;
}

/** Every way a request or a packet can fail, and what we do about it. A code without a policy does not compile. [C126] */
export const FAILURES = {
  // Requests
  invalid_request: {
    disposition: "permanent",
    http: 400,
    publicMessage: "The request could not be read. Check its fields.",
  },
  unauthenticated: { disposition: "permanent", http: 401, publicMessage: "Sign in first." },
  forbidden: {
    disposition: "permanent",
    http: 403,
    publicMessage: "This key does not permit that. Use a key that does, or ask an administrator for one.",
  },
  media_type_unsupported: {
    disposition: "permanent",
    http: 415,
    publicMessage: "Send this as the media type that the description of the call names.",
  },
  body_too_large: {
    disposition: "permanent",
    http: 413,
    publicMessage: "The request is too large. Send less at once.",
  },
  batch_too_large: { disposition: "permanent", http: 413, publicMessage: "Send at most 1,000 packets in one batch." },
  not_found: {
    disposition: "permanent",
    http: 404,
    publicMessage: "There is nothing here, or it is not yours to see.",
  },
  unknown_kind: { disposition: "permanent", http: 422, publicMessage: "This kind of packet is not known here." },
  unsupported_fidelity: {
    disposition: "permanent",
    http: 422,
    publicMessage: "Ask for a preview or for the archival copy.",
  },
  payload_invalid: { disposition: "permanent", http: 422, publicMessage: "Some fields need another look." },
  idempotency_key_missing: {
    disposition: "permanent",
    http: 400,
    publicMessage: "Send an Idempotency-Key with this request.",
  },
  idempotency_conflict: {
    disposition: "permanent",
    http: 409,
    publicMessage: "This key was already used for other content. Use a new key, or send the same content.",
  },
  source_unversioned: {
    disposition: "permanent",
    http: 422,
    publicMessage: "Name one fixed revision of the source data.",
  },
  manifest_empty: { disposition: "permanent", http: 422, publicMessage: "Add at least one file." },
  duplicate_positions: { disposition: "permanent", http: 422, publicMessage: "Two parts have the same position." },
  finish_by_passed: {
    disposition: "permanent",
    http: 422,
    publicMessage: "The day this packet is needed by has passed.",
  },
  too_many_outstanding: {
    disposition: "transient",
    http: 429,
    publicMessage: "Too many packets are waiting already. Try again in a minute.",
  },
  lane_closed: {
    disposition: "transient",
    http: 503,
    publicMessage: "Work is waiting too long at the moment. Try again in a minute.",
  },
  not_dead_letter: {
    disposition: "permanent",
    http: 409,
    publicMessage: "This job does not wait for an operator any more. Reload to see what became of it.",
  },
  too_late_to_cancel: {
    disposition: "permanent",
    http: 409,
    publicMessage: "This packet is finished or about to be, so it cannot be cancelled.",
  },
  too_many_attempts: {
    disposition: "transient",
    http: 429,
    publicMessage: "Too many tries. Wait a few minutes, then try again.",
  },

  // Sources
  source_missing: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file is not here any more. Upload it again.",
  },
  source_inspecting: {
    disposition: "permanent",
    http: 409,
    publicMessage: "This file is still being checked. Try again in a moment.",
  },
  source_refused: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file cannot be used. Replace it or leave it out.",
  },
  source_digest_mismatch: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file changed after it was uploaded. Upload it again.",
  },
  source_empty: { disposition: "permanent", http: 422, publicMessage: "This file is empty. Upload it again." },
  source_incomplete: {
    disposition: "permanent",
    http: 422,
    publicMessage: "The upload was cut short. Upload the file again.",
  },
  source_too_large: {
    disposition: "permanent",
    http: 413,
    publicMessage: "This file is too large. Split it or make it smaller.",
  },
  source_unsupported_type: {
    disposition: "permanent",
    http: 415,
    publicMessage: "This type of file cannot be used. Save it as PDF, PNG or JPEG.",
  },
  source_encrypted: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file needs a password. Save a copy without one.",
  },
  source_malformed: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file is damaged. Open it and save it again as PDF.",
  },
  source_no_pages: { disposition: "permanent", http: 422, publicMessage: "This file has no pages." },
  source_too_many_pages: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file has too many pages. Split it.",
  },
  source_dimensions: {
    disposition: "permanent",
    http: 422,
    publicMessage: "A page or picture in this file is too large to print.",
  },
  source_unsupported_form: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This is an XFA form, which other programs cannot show. Print it to PDF first.",
  },
  source_active_content: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file holds scripts or attachments, which are not allowed here.",
  },
  source_exhausts_limits: {
    disposition: "permanent",
    http: 422,
    publicMessage: "This file takes more memory or time to read than is allowed.",
  },
  input_altered: {
    disposition: "permanent",
    http: 422,
    publicMessage: "What is stored is not what was submitted. Submit it again.",
  },
  table_invalid: { disposition: "permanent", http: 422, publicMessage: "Some rows of this table need another look." },

  // Making
  missing_glyphs: {
    disposition: "permanent",
    http: 422,
    publicMessage: "Some characters cannot be printed. Change them and submit again.",
  },
  template_rejected: {
    disposition: "permanent",
    http: 422,
    publicMessage: "The pages could not be made from this content.",
  },
  packet_too_large: {
    disposition: "permanent",
    http: 422,
    publicMessage: "The finished packet would be too large. Leave something out.",
  },
  acceptance_failed: {
    disposition: "permanent",
    http: 422,
    publicMessage: "The finished PDF did not pass its checks, so it was not archived.",
  },
  artifact_conflict: {
    disposition: "permanent",
    http: 409,
    publicMessage: "Another document is already archived for this revision.",
  },
  render_deadline: {
    disposition: "transient",
    http: 503,
    publicMessage: "Making the pages took too long. We will try again.",
    attemptsMax: 2,
  },
  renderer_lost: {
    disposition: "transient",
    http: 503,
    publicMessage: "Making the pages was interrupted. We will try again.",
  },
  renderer_busy: { disposition: "transient", http: 503, publicMessage: "All page makers are busy. We will try again." },
  workspace_full: {
    disposition: "transient",
    http: 503,
    publicMessage: "There is no room to work at the moment. We will try again.",
  },
  workspace_failed: {
    disposition: "transient",
    http: 503,
    publicMessage: "A working folder could not be made. We will try again.",
  },
  storage_unavailable: {
    disposition: "transient",
    http: 503,
    publicMessage: "Storage did not answer. We will try again.",
  },
  deadline_passed: { disposition: "permanent", http: 422, publicMessage: "The packet could not be made in time." },
  lease_lost: { disposition: "transient", http: 503, publicMessage: "Another worker took over." },
  cancelled: { disposition: "permanent", http: 409, publicMessage: "This packet was cancelled." },
  internal: {
    disposition: "transient",
    http: 500,
    publicMessage: "Something went wrong on our side. We will try again.",
    attemptsMax: 3,
  },

  // Reading what was made
  link_invalid: {
    disposition: "permanent",
    http: 403,
    publicMessage: "This link does not work. Ask for a new one on the packet's page.",
  },
  link_expired: {
    disposition: "permanent",
    http: 410,
    publicMessage: "This link has expired. Ask for a new one on the packet's page.",
  },
  artifact_disposed: {
    disposition: "permanent",
    http: 410,
    publicMessage: "This document was kept as long as promised and has been removed.",
  },
  preview_expired: { disposition: "permanent", http: 410, publicMessage: "This preview is gone. Make a new one." },
} as const satisfies Record<string, FailurePolicy>;

export type FailureCode = keyof typeof FAILURES;

export interface FailureDetails {
  /** For operators; never leaves the process. */
  readonly detail?: string;
  /** Position in the manifest of the part it is about. */
  readonly position?: number;
  /** Page within that part, from 1. */
  readonly page?: number;
  readonly findings?: readonly Finding[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An expected failure. Only its code, position, page and findings ever leave the process. */
export class PacketFailure extends Error {
  override readonly name = "PacketFailure";
  readonly detail: string | undefined;
  readonly position: number | undefined;
  readonly page: number | undefined;
  readonly findings: readonly Finding[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: FailureCode,
    details: FailureDetails = {},
  ) {
    super(code, details.cause === undefined ? undefined : { cause: details.cause });
    this.detail = details.detail;
    this.position = details.position;
    this.page = details.page;
    this.findings = details.findings ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Returns the policy of `code`. */
export function policyOf(code: FailureCode): FailurePolicy {
  return FAILURES[code];
}

/** True where `value` is one of our codes. */
export function isFailureCode(value: unknown): value is FailureCode {
  return typeof value === "string" && Object.hasOwn(FAILURES, value);
}

/** Returns the code that an inspection gave for a file; what is not one of ours reads as a damaged file. */
export function refusalCode(value: string): FailureCode {
  return isFailureCode(value) ? value : "source_malformed";
}
