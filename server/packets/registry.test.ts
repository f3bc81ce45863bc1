import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { orderManifest } from "@/server/domain/manifest";
import { renderPart } from "@/worker/pdf/render";
import { type Bench, benchFor } from "@/worker/pdf/testing/rendered-sample";
import { findKind, KINDS, readKind } from "./registry";

const FOLDER = import.meta.dirname;
const benches: Bench[] = [];
afterAll(() => Promise.all(benches.map((bench) => bench.close())));

describe("the registry", () => {
  it("lists every folder of a kind, by the folder's name", () => {
    const folders = readdirSync(FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "stationery")
      .map((entry) => entry.name);
    expect(KINDS.map((kind) => kind.name).sort()).toEqual(folders.sort());
  });

  it("every folder has the files of a kind", () => {
    for (const { name } of KINDS) {
      const files = readdirSync(join(FOLDER, name));
      expect(files).toEqual(
        expect.arrayContaining(["index.ts", "schema.ts", "rules.ts", "template.tsx", "sample.ts", `${name}.test.ts`]),
      );
    }
  });

  it("knows nothing of a kind that is not listed", () => {
    expect(findKind("toString")).toBeNull();
    expect(() => readKind("unheard-of")).toThrow(expect.objectContaining({ code: "unknown_kind" }));
  });
});

describe.each(KINDS)("$name", (kind) => {
  it("its form can be made from its schema: every field has a title and says what it wants", () => {
    const json = z.toJSONSchema(kind.payload, { io: "input" });
    const unnamed = fieldsOf(json).filter(([, field]) => field.title === undefined || field.description === undefined);
    expect(unnamed.map(([path]) => path)).toEqual([]);
  });

  it.each(["typical", "largest"] as const)("its %s sample passes schema and rules", (variant) => {
    const sample = kind.samples[variant];
    const payload = kind.payload.parse(sample.payload);
    expect(kind.rules(payload, { today: sample.today })).toEqual([]);
    expect(kind.sources(payload).map((source) => source.sourceId)).toEqual(sample.files.map((file) => file.sourceId));
    expect(kind.businessIdentity(payload)).not.toMatch(/\n/);
  });

  it("its typical sample can be submitted on any day", () => {
    for (const today of ["2026-01-31", "2026-12-31", "2028-02-29"]) {
      const sample = kind.samples.typicalOn(today);
      expect(kind.rules(kind.payload.parse(sample.payload), { today })).toEqual([]);
      const acceptedAt = new Date(`${today}T12:00:00Z`);
      expect(kind.finishBy(kind.payload.parse(sample.payload), acceptedAt).getTime()).toBeGreaterThan(
        acceptedAt.getTime(),
      );
    }
  });

  it("what the schema gives back passes it again unchanged: the worker reads what admission stored", () => {
    for (const variant of ["typical", "largest"] as const) {
      const stored: unknown = JSON.parse(JSON.stringify(kind.payload.parse(kind.samples[variant].payload)));
      expect(kind.payload.parse(stored)).toEqual(stored);
    }
  });

  it("its invalid sample fails for the stated reason", () => {
    const { payload, code } = kind.samples.invalid;
    const parsed = kind.payload.safeParse(payload);
    const codes = parsed.success
      ? kind.rules(parsed.data, { today: kind.samples.typical.today }).map((finding) => finding.code)
      : parsed.error.issues.map((issue) => issue.code);
    expect(codes).toContain(code);
  });

  it("takes no field that it does not know, and no form without fields [C187]", () => {
    const sample = kind.payload.parse(kind.samples.typical.payload);
    expect(kind.payload.safeParse({ ...Object(sample), extra: 1 }).success).toBe(false);
    for (const name of Object.keys(Object(sample))) {
      const { [name]: _left, ...rest } = Object(sample);
      const required = z.toJSONSchema(kind.payload, { io: "input" }).required ?? [];
      expect(kind.payload.safeParse(rest).success).toBe(!required.includes(name));
    }
    expect(kind.payload.safeParse({}).success).toBe(false);
  });

  it.each(["typical", "largest"] as const)("its %s sample renders within the kind's page limits", async (variant) => {
    const bench = await benchFor(kind, kind.samples[variant]);
    benches.push(bench);
    expect(orderManifest(bench.manifest).parts).toEqual(bench.manifest.parts);
    const { pages } = await bench.renderAll();
    expect(pages).toBeGreaterThanOrEqual(kind.pages.min);
    expect(pages).toBeLessThanOrEqual(kind.pages.max);
  });

  it.each([
    [
      "words",
      (length: number) =>
        "Wasserwirtschaft und "
          .repeat(length)
          .slice(0, length - 1)
          .concat("x"),
    ],
    ["one word without a space", (length: number) => "W".repeat(length)],
  ])("prints the longest texts its form takes, as %s", async (_name, fill) => {
    const sample = kind.samples.typical;
    const payload = stretched(z.toJSONSchema(kind.payload, { io: "input" }), sample.payload, fill);
    const bench = await benchFor(kind, { ...sample, payload });
    benches.push(bench);
    for (const part of bench.manifest.parts) {
      if (part.type === "template")
        expect((await renderPart(bench.request(part.position), () => {})).pages).toBeGreaterThan(0);
    }
  });

  it("its sample files are the same bytes whenever they are made", async () => {
    for (const file of kind.samples.typical.files) {
      expect(Buffer.compare(await file.make(), await file.make())).toBe(0);
    }
  });
});

type Json = z.core.JSONSchema.BaseSchema;

/** Every property of a schema with its path; the two sides of a union count as one field each. */
function fieldsOf(schema: Json, path = ""): [string, Json][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, Json][] =>
    typeof field === "object" ? [[`${path}/${name}`, field], ...fieldsOf(field, `${path}/${name}`)] : [],
  );
  const items =
    typeof schema.items === "object" && !Array.isArray(schema.items) ? fieldsOf(schema.items, `${path}/[]`) : [];
  const sides = (schema.anyOf ?? []).flatMap((side) => (typeof side === "object" ? fieldsOf(side, path) : []));
  return [...own, ...items, ...sides];
}

/** Returns `value` with every free text as long as its schema allows. */
function stretched(schema: Json | undefined, value: unknown, fill: (length: number) => string): unknown {
  if (typeof value === "string") {
    const isFree = schema?.pattern === undefined && schema?.format === undefined && schema?.enum === undefined;
    return isFree && schema?.maxLength !== undefined ? fill(schema.maxLength) : value;
  }
  const items = typeof schema?.items === "object" && !Array.isArray(schema.items) ? schema.items : undefined;
  if (Array.isArray(value)) return value.map((item) => stretched(items, item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const property = schema?.properties?.[name];
      return [name, stretched(typeof property === "object" ? property : undefined, field, fill)];
    }),
  );
}
