import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownPath, signInPath } from "./own-path";

describe("the way back after signing in", () => {
  it("leads to pages of ours", () => {
    expect(ownPath("/packets?state=failed")).toBe("/packets?state=failed");
    expect(ownPath("/d/abc.def")).toBe("/d/abc.def");
  });

  it.each([
    "//evil.test",
    "/\\evil.test",
    "https://evil.test",
    "javascript:alert(1)",
    "\t//evil.test",
    "/\t/evil.test",
    "/a\\b",
    "",
    null,
    ["/packets"],
    "/sign-in?to=/x",
    "/api/auth/signout",
  ])("leads nowhere else: %j", (path) => expect(ownPath(path)).toBe("/"));

  it("stays on this host whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webPath(), fc.string({ unit: "binary" }), fc.constantFrom("//", "/\\", "/..//")),
        (path) => {
          expect(new URL(ownPath(path), "http://here.test").host).toBe("here.test");
        },
      ),
    );
  });

  it("is written into the address of the sign-in page", () => {
    expect(signInPath("/packets?a=1&b=2")).toBe("/sign-in?to=%2Fpackets%3Fa%3D1%26b%3D2");
    expect(signInPath("/")).toBe("/sign-in");
  });
});
