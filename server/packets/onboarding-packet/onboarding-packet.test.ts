import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf, type SourceId } from "@/server/domain/ids";
import { derivedKey } from "@/server/domain/request";
import { renderPart } from "@/worker/pdf/render";
import { type Bench, benchFor, textsOf } from "@/worker/pdf/testing/rendered-sample";
import type { SourceFacts } from "../kind";
import { onboardingPacket } from "./index";
import type { OnboardingPacket } from "./schema";

const { typical, largest } = onboardingPacket.samples;
const today = typical.today;
const facts = (sourceId: string): SourceFacts => ({
  sourceId: sourceId as SourceId,
  title: `Title of ${sourceId}`,
  mediaType: "application/pdf",
  digest: digestOf(sourceId),
  bytes: 10,
  pages: 2,
  rows: 0,
});
const withEmployee = (change: Partial<OnboardingPacket["employee"]>): OnboardingPacket => ({
  ...typical.payload,
  employee: { ...typical.payload.employee, ...change },
});
const codes = (payload: OnboardingPacket) => onboardingPacket.rules(payload, { today }).map((finding) => finding.code);

describe("what the packet is about", () => {
  it("is the employee, whatever else the form says, so a resubmission is the same operation [C34]", () => {
    const keyOf = (payload: OnboardingPacket, revisionNumber = 1) =>
      derivedKey({
        kind: onboardingPacket.name,
        businessIdentity: onboardingPacket.businessIdentity(payload),
        audience: "recipient",
        fidelity: "archival",
        revisionNumber,
      });
    expect(onboardingPacket.businessIdentity(typical.payload)).toBe("employee:E-10482");
    expect(keyOf(withEmployee({ name: "Somebody else" }))).toBe(keyOf(typical.payload));
    expect(keyOf(withEmployee({ ref: "E-1" }))).not.toBe(keyOf(typical.payload));
    expect(keyOf(typical.payload, 2)).not.toBe(keyOf(typical.payload));
  });

  it("belongs to one recipient, whose address is in small letters", () => {
    const payload = onboardingPacket.payload.parse(withEmployee({ email: "Zoe.L@Example.ORG" }));
    expect(onboardingPacket.recipient(payload)).toEqual({ name: "Zoë Łukaszewicz", email: "zoe.l@example.org" });
  });

  it("must be ready when the first working day begins", () => {
    const ready = onboardingPacket.finishBy(
      withEmployee({ startDate: "2027-01-11" }),
      new Date("2026-12-01T10:00:00Z"),
    );
    expect(ready.toISOString()).toBe("2027-01-11T09:00:00.000Z");
  });
});

describe("what is refused", () => {
  it.each([
    ["a first day that has passed", withEmployee({ startDate: "2026-11-30" }), "start_date_passed"],
    ["a first day in the far future", withEmployee({ startDate: "2029-01-01" }), "start_date_too_far"],
    ["no salary", { ...typical.payload, offer: { ...typical.payload.offer, salary: "0.00" } }, "salary_zero"],
    [
      "a fixed term without end",
      { ...typical.payload, offer: { ...typical.payload.offer, contract: "fixed-term" as const } },
      "end_date_missing",
    ],
    [
      "an end before the start",
      { ...typical.payload, offer: { ...typical.payload.offer, endDate: "2026-12-24" } },
      "end_before_start",
    ],
    ["a policy chosen twice", { ...typical.payload, policies: ["a", "b", "a"] }, "duplicate_policy"],
  ])("%s", (_name, payload, code) => {
    expect(codes(payload)).toEqual([code]);
  });

  it("dates that are no dates never get as far as the rules [C188]", () => {
    expect(onboardingPacket.payload.safeParse(withEmployee({ startDate: "2027-02-30" })).success).toBe(false);
  });
});

describe("the order of parts", () => {
  it("is letter, offer, the policies as chosen, acknowledgement [C240]", () => {
    const manifest = onboardingPacket.manifest({ ...typical.payload, policies: ["c", "a", "b"] }, "recipient", facts);
    expect(manifest.parts.map((part) => (part.type === "template" ? part.document : part.sourceId))).toEqual([
      "welcome",
      "offer",
      "c",
      "a",
      "b",
      "acknowledgement",
    ]);
    expect(manifest.parts.map((part) => part.position)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe("the pages", () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await benchFor(onboardingPacket, largest);
  });
  afterAll(() => bench.close());

  it("say what was agreed, to the cent", async () => {
    const text = (await textsOf(await renderPart(bench.request(2), () => {}))).join("\n");
    expect(text).toContain("EUR 48,500.00 per year");
    expect(text).toContain("37.5 per week");
  });

  it("leave what nobody can know as ruled blanks, and name every policy to be acknowledged", async () => {
    const position = bench.manifest.parts.length;
    const text = (await textsOf(await renderPart(bench.request(position), () => {}))).join("\n");
    for (const blank of ["Date of birth", "Tax number", "Account for salary (IBAN)", "Signature"])
      expect(text).toContain(blank);
    for (const part of bench.manifest.parts) if (part.type === "file") expect(text).toContain(part.title);
  });

  it("print a long name and address whole", async () => {
    const text = (await textsOf(await renderPart(bench.request(1), () => {}))).join("\n").replace(/\s/g, "");
    expect(text).toContain(largest.payload.employee.name.replace(/\s/g, ""));
    expect(text).toContain(largest.payload.employee.email);
  });
});
