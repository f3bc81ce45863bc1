import { describe, expect, it } from "vitest";
import { FAILURES } from "@/server/domain/failure";
import { KINDS } from "@/server/packets/registry";
import type { CallView } from "./contract";
import { readContract } from "./contract";
import { curlOf } from "./curl";
import { alternativesOf, exampleOf, limitsOf, resolved, typeWords } from "./schema-words";

const HOST = "https://bindery.example.org";
const { groups, schemas } = readContract(HOST);
const calls = groups.flatMap((group) => group.calls);

function call(operationId: string): CallView {
  const found = calls.find((each) => each.operationId === operationId);
  if (found === undefined) throw new RangeError(`There is no call ${operationId}.`);
  return found;
}

describe("the reference", () => {
  it("shows every call of the contract once, under its group", () => {
    expect(calls.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      "DELETE /api/v1/packets/{jobId}",
      "GET /api/v1/packets",
      "GET /api/v1/packets/{jobId}",
      "GET /api/v1/sources/{sourceId}",
      "POST /api/v1/packets",
      "POST /api/v1/packets/batch",
      "POST /api/v1/packets/{jobId}/links",
      "POST /api/v1/sources",
    ]);
    expect(new Set(calls.map(({ operationId }) => operationId)).size).toBe(calls.length);
  });

  it("describes what can be submitted kind by kind, each field with what it is", () => {
    const [body] = Object.values(call("submitPacket").requestBody?.content ?? {});
    const ways = alternativesOf(resolved(body?.schema ?? {}, schemas));
    expect(ways.map(({ title }) => title)).toEqual(KINDS.map(({ title }) => title));
    for (const way of ways) {
      const payload = resolved(way.properties?.payload ?? {}, schemas);
      expect(Object.keys(payload.properties ?? {}).length, way.title).toBeGreaterThan(2);
      for (const [name, property] of Object.entries(payload.properties ?? {}))
        expect(typeWords(property, schemas), name).not.toMatch(/undefined|\[object/);
    }
  });

  it("names every code that can be answered", () => {
    expect(schemas.FailureCode?.enum).toEqual(Object.keys(FAILURES));
  });
});

describe("a value in words", () => {
  it.each([
    [{ type: "string" }, "text"],
    [{ type: "string", format: "date-time" }, "instant"],
    [{ type: ["integer", "null"] }, "whole number or null"],
    [{ type: "array", items: { type: "object" } }, "list of objects"],
    [{ anyOf: [{ type: "object" }, { type: "null" }] }, "object or null"],
    [{ $ref: "#/components/schemas/PacketStatus" }, "object"],
  ])("%j is %s", (schema, words) => expect(typeWords(schema, schemas)).toBe(words));

  it.each([
    [{ minimum: 0, maximum: 20_000 }, ["0 to 20,000"]],
    [{ maximum: Number.MAX_SAFE_INTEGER, minimum: Number.MIN_SAFE_INTEGER }, []],
    [{ minItems: 1 }, ["at least 1 item"]],
    [{ maxLength: 60, default: "pages" }, ["at most 60 characters", '"pages" where left out']],
  ])("the limits of %j are %j", (schema, words) => expect(limitsOf(schema)).toEqual(words));
});

it("an example of each answer has its required fields", () => {
  expect(exampleOf({ $ref: "#/components/schemas/PacketReceipt" }, schemas)).toMatchObject({
    id: expect.stringMatching(/^job_/),
    replayed: true,
  });
  expect(exampleOf({ $ref: "#/components/schemas/Problem" }, schemas)).toMatchObject({ status: 422 });
});

it("a command takes the key from the environment and says what the call needs", () => {
  expect(curlOf(call("submitPacket"), HOST)).toBe(
    [
      `curl -X POST '${HOST}/api/v1/packets'`,
      `-H "Authorization: Bearer $BINDERY_API_KEY"`,
      "-H 'Idempotency-Key: hr-onboarding-2026-0117'",
      "-H 'Content-Type: application/json'",
      "--data-binary @request.json",
    ].join(" \\\n  "),
  );
  expect(curlOf(call("readPacket"), HOST)).toContain(`curl '${HOST}/api/v1/packets/job_0123456789abcdef`);
  expect(curlOf(call("uploadSource"), HOST)).toContain("--data-binary @minutes.pdf");
});
