import { PacketFailure } from "@/server/domain/failure";
import { type Digest, parseDigest } from "@/server/domain/ids";

/**
 * Returns the SHA-256 that a sender declares in `Content-Digest` (RFC 9530, 2), or null where none is. Throws `invalid_request` where it
 * names no SHA-256 or one that cannot be.
 */
export function declaredDigest(headers: Headers): Digest | null {
  const header = headers.get("content-digest");
  if (header === null) return null;
  const base64 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/.exec(header)?.[1];
  const digest = base64 === undefined ? null : parseDigest(`sha256:${Buffer.from(base64, "base64").toString("hex")}`);
  if (digest === null) throw new PacketFailure("invalid_request");
  return digest;
}
