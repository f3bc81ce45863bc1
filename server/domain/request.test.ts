import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, derivedKey, requestFingerprint } from "./request";

const operation = {
  kind: "depot-report",
  businessIdentity: "depot:D-7|period:2026-10",
  audience: "internal",
  fidelity: "archival",
  revisionNumber: 1,
};

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe("the request fingerprint", () => {
  it("does not depend on the order of keys or on white space [C10,C23]", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => {
        const request = { kind: "k", audience: "a", fidelity: "archival", payload };
        const again = { ...request, payload: JSON.parse(JSON.stringify(reversed(payload), null, 3)) };
        expect(requestFingerprint(again)).toBe(
          requestFingerprint({ ...request, payload: JSON.parse(JSON.stringify(payload)) }),
        );
      }),
    );
  });

  it("changes with kind, audience, fidelity and any word of the payload [C12]", () => {
    const request = { kind: "k", audience: "a", fidelity: "archival", payload: { title: "one" } };
    const changes = [{ kind: "l" }, { audience: "b" }, { fidelity: "preview" }, { payload: { title: "two" } }];
    const all = [request, ...changes.map((change) => ({ ...request, ...change }))].map(requestFingerprint);
    expect(new Set(all).size).toBe(all.length);
  });

  it("is made of canonical JSON as RFC 8785 has it", () => {
    expect(canonicalJson({ b: [1e21, "€"], a: { "\u20ac": 1, "\r": 2 } })).toBe(
      '{"a":{"\\r":2,"€":1},"b":[1e+21,"€"]}',
    );
  });
});

describe("the derived key", () => {
  it("is the same for the same operation, and another for any change of what, whom or which revision [C29,C34]", () => {
    expect(derivedKey(operation)).toBe(derivedKey({ ...operation }));
    const others = [
      { ...operation, businessIdentity: "depot:D-8|period:2026-10" },
      { ...operation, businessIdentity: "depot:D-7|period:2026-11" },
      { ...operation, revisionNumber: 2 },
      { ...operation, audience: "public" },
    ].map(derivedKey);
    expect(new Set([derivedKey(operation), ...others]).size).toBe(5);
  });

  it("has no place for a request id, a time or a random number [C34]", () => {
    expect(derivedKey.length).toBe(1);
    expect(derivedKey({ ...operation })).toMatch(/^form:sha256:[0-9a-f]{64}$/);
  });
});
