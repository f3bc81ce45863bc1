import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFailureCode, policyOf } from "@/server/domain/failure";
import { pagesPdf, words } from "./testing/handmade-pdf";
import { Workshop } from "./testing/workshop";

describe("bytes that were changed on the way", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  const source = pagesPdf([{ content: words("one") }, { entries: "/Rotate 90" }, {}], {
    catalog: "/Outlines << /First 10 0 R >> /Dests << /a [4 0 R /Fit] >>",
    extra: ["<< /Title (x) /Dest /a >>"],
  });

  it("end in a permanent verdict, never in an error of ours [C106,C135]", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(source.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
        async (changes) => {
          const bytes = Buffer.from(source);
          for (const [at, value] of changes) bytes[at] = value;
          const verdict = await workshop.inspect(bytes);
          if (verdict.result === "accept") return;
          expect(isFailureCode(verdict.code) && policyOf(verdict.code).disposition).toBe("permanent");
        },
      ),
      { numRuns: 250, seed: 11 },
    );
  });

  it("cut short at any place, they are refused or whole [C286]", async () => {
    for (let length = 1; length < source.length; length += 37) {
      const verdict = await workshop.inspect(source.subarray(0, length));
      if (verdict.result === "accept") expect(verdict.pages).toBe(3);
    }
  });
});
