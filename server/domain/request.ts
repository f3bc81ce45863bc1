import canonicalize from "canonicalize";
import { type Digest, digestOf } from "./ids";

/** Returns `value` as canonical JSON (RFC 8785): one text for one meaning. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Only JSON values have a canonical form.");
  return text;
}

/** Returns the SHA-256 of the canonical JSON of `value`. */
export function canonicalDigest(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}

export interface NormalisedRequest {
  readonly kind: string;
  readonly audience: string;
  readonly fidelity: string;
  readonly payload: unknown;
}

/** Returns the request fingerprint: what makes two submissions the same request. [C10] */
export function requestFingerprint(request: NormalisedRequest): Digest {
  return canonicalDigest({
    kind: request.kind,
    audience: request.audience,
    fidelity: request.fidelity,
    payload: request.payload,
  });
}

/**
 * Returns the idempotency key of a form that names none. It follows from the business operation (what it is about and which revision
 * of it), so that a double click, a reload or a second tab means the same packet; the request id has no part in it. [C29,C34]
 */
export function derivedKey(operation: {
  readonly kind: string;
  readonly businessIdentity: string;
  readonly audience: string;
  readonly fidelity: string;
  readonly revisionNumber: number;
}): string {
  return `form:${canonicalDigest(operation)}`;
}
