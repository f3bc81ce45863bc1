import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { ArtifactId, LinkId, UserId } from "./ids";

/** What a token says. Bound to one artifact, one person or bearer, and one purpose, for minutes. */
export interface LinkClaims {
  readonly linkId: LinkId;
  readonly artifactId: ArtifactId;
  /** The person it is for; null for a link given to a program, which opens for whoever holds it. */
  readonly userId: UserId | null;
  readonly purpose: "download";
  readonly expiresAt: Date;
}

export type LinkKeys = readonly (readonly [id: string, secret: string])[];

const Body = z.strictObject({
  k: z.string(),
  l: z.string(),
  a: z.string(),
  u: z.string(),
  p: z.literal("download"),
  e: z.int(),
});

/** Clocks of two machines may differ by this much without hurting anyone. */
const SKEW_MS = 60_000;

/** Returns the token: claims and their HMAC-SHA256 under the newest key, URL-safe. It is a secret: never logged, never stored. */
export function signLink(claims: LinkClaims, keys: LinkKeys): string {
  const newest = keys[0];
  if (newest === undefined) throw new RangeError("At least one key is needed to sign links.");
  const [keyId, secret] = newest;
  const body = Buffer.from(
    JSON.stringify({
      k: keyId,
      l: claims.linkId,
      a: claims.artifactId,
      u: claims.userId ?? "",
      p: claims.purpose,
      e: claims.expiresAt.getTime(),
    }),
  ).toString("base64url");
  return `${body}.${mac(body, secret)}`;
}

/** Returns the claims of a token signed by one of our keys, or why it cannot be used. Compared in constant time. */
export function verifyLink(token: string, keys: LinkKeys, now: Date): LinkClaims | "link_invalid" | "link_expired" {
  const [body, signature, ...rest] = token.slice(0, 1_000).split(".");
  if (body === undefined || signature === undefined || rest.length > 0) return "link_invalid";
  const parsed = Body.safeParse(parseJson(Buffer.from(body, "base64url").toString("utf8")));
  if (!parsed.success) return "link_invalid";
  const key = keys.find(([id]) => id === parsed.data.k);
  if (key === undefined || !isSame(signature, mac(body, key[1]))) return "link_invalid";
  const expiresAt = new Date(parsed.data.e);
  if (now.getTime() >= expiresAt.getTime() + SKEW_MS) return "link_expired";
  return {
    linkId: parsed.data.l as LinkId,
    artifactId: parsed.data.a as ArtifactId,
    userId: parsed.data.u === "" ? null : (parsed.data.u as UserId),
    purpose: parsed.data.p,
    expiresAt,
  };
}

function mac(body: string, secret: string): string {
  return createHmac("sha256", secret).update(`bindery-link:${body}`).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever is not JSON was not signed by us.
    return null;
  }
}
