import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LinkClaims, signLink, verifyLink } from "./download-link";
import { newId } from "./ids";

const KEYS = [
  ["k2", "second-secret-second-secret-second"],
  ["k1", "first-secret-first-secret-first-sec"],
] as const;
const now = new Date("2026-11-30T09:00:00Z");
const claims: LinkClaims = {
  linkId: newId("link"),
  artifactId: newId("artifact"),
  userId: newId("user"),
  purpose: "download",
  expiresAt: new Date(now.getTime() + 300_000),
};
const later = (ms: number) => new Date(now.getTime() + ms);

describe("a download link", () => {
  it("gives back what was signed while it lives [C364]", () => {
    expect(verifyLink(signLink(claims, KEYS), KEYS, now)).toEqual(claims);
  });

  it("expires, with a minute's grace for clocks that differ [C364]", () => {
    const token = signLink(claims, KEYS);
    expect(verifyLink(token, KEYS, later(300_000 + 45_000))).toEqual(claims);
    expect(verifyLink(token, KEYS, later(300_000 + 60_000))).toBe("link_expired");
    expect(verifyLink(token, KEYS, later(-45_000))).toEqual(claims);
  });

  it("with any character changed, cut or added is worthless [C366]", () => {
    const token = signLink(claims, KEYS);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom("A", "b", "7", "-", "_", ".", ""), (at, replacement) => {
        const changed = token.slice(0, at) + replacement + token.slice(at + 1);
        if (changed === token) return;
        const verdict = verifyLink(changed, KEYS, now);
        // The last character of base64url may carry unused bits; then the text differs but not the bytes it stands for.
        if (typeof verdict !== "string") expect(at).toBe(token.length - 1);
        else expect(verdict).toBe("link_invalid");
      }),
    );
    for (const wrong of ["", ".", "a.b.c", `${token}x`, token.repeat(3)])
      expect(verifyLink(wrong, KEYS, now)).toBe("link_invalid");
  });

  it("signed by an older key still works, by a removed key no longer", () => {
    const old = signLink(claims, [KEYS[1]]);
    expect(verifyLink(old, KEYS, now)).toEqual(claims);
    expect(verifyLink(old, [KEYS[0]], now)).toBe("link_invalid");
  });

  it("made for another purpose is refused", () => {
    const body = Buffer.from(
      JSON.stringify({ k: "k2", l: "l", a: "a", u: "u", p: "sign-in", e: later(1_000).getTime() }),
    ).toString("base64url");
    expect(verifyLink(`${body}.${"A".repeat(43)}`, KEYS, now)).toBe("link_invalid");
  });
});
