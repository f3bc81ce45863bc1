/** What is to be made. */
export interface Submission {
  /** Your name for this operation: the same name and content are the same packet for ever. */
  readonly idempotencyKey: string;
  readonly kind: string;
  readonly audience?: string;
  readonly payload: unknown;
}

export interface Receipt {
  readonly id: string;
  /** True where the same request was accepted before. */
  readonly replayed: boolean;
  readonly statusUrl: string;
}

/** A problem as the service tells it (RFC 9457). */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly retryAfter?: number;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
}

export type ItemResult =
  | ({ readonly status: "accepted" | "replayed" } & Receipt)
  | { readonly status: "refused"; readonly problem: Problem };

export interface Status {
  readonly id: string;
  readonly kind: string;
  readonly audience: string;
  readonly fidelity: string;
  readonly state: "queued" | "running" | "succeeded" | "failed";
  readonly stage: string | null;
  readonly acceptedAt: string;
  readonly settledAt: string | null;
  readonly finishBy: string;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly artifact: {
    readonly bytes: number;
    readonly pages: number;
    readonly digest: string;
    readonly committedAt: string;
    readonly retainUntil: string;
    readonly erasedAt: string | null;
  } | null;
}

export interface Source {
  readonly id: string;
  readonly state: "inspecting" | "accepted" | "refused";
  readonly bytes: number;
  readonly digest: string;
  readonly pages: number;
  readonly rows: number;
  readonly disclosures: readonly string[];
  readonly refusal: { readonly code: string; readonly message: string; readonly page: number | null } | null;
}

export interface Filter {
  readonly kind?: string;
  readonly state?: Status["state"];
  readonly period?: string;
  readonly scope?: string;
}
