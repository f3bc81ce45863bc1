import { describe, expect, it } from "vitest";
import { hashOfSecret, isNoWider, machineOf, newApiKeySecret } from "./api-key";
import { newId } from "./ids";

const NOW = new Date("2026-12-01T09:00:00Z");
const stored = {
  id: newId("apiKey"),
  tenantId: newId("tenant"),
  permissions: ["packets:read", "everything"],
  kinds: ["monthly-report"],
  scopes: [],
  expiresAt: null,
  revokedAt: null,
};

describe("a secret", () => {
  it("is 256 random bits under a prefix, never the same twice", () => {
    const secrets = new Set(Array.from({ length: 100 }, newApiKeySecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret.slice(3), "base64url")).toHaveLength(32);
  });

  it("is looked up by a hash of all of it; what cannot be one has none", () => {
    const secret = newApiKeySecret();
    expect(hashOfSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
    const other = secret.endsWith("A") ? `${secret.slice(0, -1)}Q` : `${secret.slice(0, -1)}A`;
    expect(hashOfSecret(other)).not.toBe(hashOfSecret(secret));
    for (const text of [
      "",
      "bk_",
      secret.slice(0, -1),
      `${secret}A`,
      secret.toUpperCase(),
      `${secret}\n`,
      ` ${secret}`,
    ])
      expect(hashOfSecret(text), JSON.stringify(text)).toBeNull();
  });
});

describe("a key", () => {
  it("acts for its tenant with its own reach, never as an admin, and with permissions that exist", () => {
    expect(machineOf(stored, NOW)).toEqual({
      type: "machine",
      keyId: stored.id,
      tenantId: stored.tenantId,
      reach: { role: "coordinator", kinds: ["monthly-report"], scopes: [] },
      permissions: ["packets:read"],
    });
  });

  it("is nobody from the instant it expires or is revoked", () => {
    const at = (ms: number) => new Date(NOW.getTime() + ms);
    expect(machineOf({ ...stored, expiresAt: at(1) }, NOW)).not.toBeNull();
    expect(machineOf({ ...stored, expiresAt: NOW }, NOW)).toBeNull();
    expect(machineOf({ ...stored, revokedAt: at(-1) }, NOW)).toBeNull();
  });

  it.each([
    [true, [], []],
    [true, ["a"], []],
    [true, ["a"], ["a", "b"]],
    [false, [], ["a"]],
    [false, ["a", "c"], ["a", "b"]],
  ])("fits: %s, for %j where its maker reaches %j (nothing named is everything)", (fits, wanted, own) => {
    const all = { role: "admin" as const, kinds: [], scopes: [] };
    expect(isNoWider({ kinds: wanted, scopes: [] }, { ...all, kinds: own })).toBe(fits);
    expect(isNoWider({ kinds: [], scopes: wanted }, { ...all, scopes: own })).toBe(fits);
  });
});
