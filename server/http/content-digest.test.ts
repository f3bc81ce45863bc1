import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { declaredDigest } from "./content-digest";

const hash = createHash("sha256").update("minutes").digest();
const base64 = hash.toString("base64");
const digest = `sha256:${hash.toString("hex")}`;
const declared = (headers: Record<string, string>) => declaredDigest(new Headers(headers));

describe("a declared digest", () => {
  it.each([
    ["alone", { "content-digest": `sha-256=:${base64}:` }],
    ["among others", { "content-digest": `sha-512=:AAAA:, sha-256=:${base64}:` }],
    ["in the form before", { digest: `SHA-256=${base64}` }],
    ["in both forms", { digest: `sha-256=${base64}`, "content-digest": `sha-256=:${base64}:` }],
  ])("is read %s", (_, headers) => expect(declared(headers)).toBe(digest));

  it("is none where none is declared", () => expect(declared({})).toBeNull());

  it.each([
    ["of another kind only", { "content-digest": "sha-512=:AAAA:" }],
    ["that is too short", { "content-digest": "sha-256=:AAAA:" }],
    ["in no form", { "content-digest": base64 }],
    ["that contradicts the other", { digest: `sha-256=${"A".repeat(43)}=`, "content-digest": `sha-256=:${base64}:` }],
  ])("%s is refused", (_, headers) => expect(() => declared(headers)).toThrow("invalid_request"));
});
