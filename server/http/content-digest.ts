import { PacketFailure } from "@/server/domain/failure";
import { type Digest, parseDigest } from "@/server/domain/ids";

/**
 * Returns the SHA-256 that a sender declares in `Content-Digest` (RFC 9530, 2), or in `Digest` as it was before (RFC 3230, 4.3.2), or null
 * where none is. Throws `invalid_request` where either names no SHA-256 or one that cannot be, and where the two disagree.
 */
export function declaredDigest(headers: Headers): Digest | null {
  const now = digestIn(headers.get("content-digest"), /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/);
  const before = digestIn(headers.get("digest"), /(?:^|,)\s*sha-256=([A-Za-z0-9+/]{43}=)\s*(?:,|$)/i);
  if (now !== null && before !== null && now !== before) throw new PacketFailure("invalid_request");
  return now ?? before;
}

function digestIn(header: string | null, form: RegExp): Digest | null {
  if (header === null) return null;
  const base64 = form.exec(header)?.[1];
  const digest = base64 === undefined ? null : parseDigest(`sha256:${Buffer.from(base64, "base64").toString("hex")}`);
  if (digest === null) throw new PacketFailure("invalid_request");
  return digest;
}
