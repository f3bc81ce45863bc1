import { describe, expect, it } from "vitest";
import { KINDS } from "@/server/packets/registry";
import { describeKind } from "@/server/services/packets/describe-kind";
import { cellsFromClipboard } from "./paste";
import { labelOfPath, type Node, readSchema } from "./schema";
import { emptyOf, filledFrom, payloadOf } from "./value";

const nodeOf = (kind: string) => readSchema(describeKind(kind).schema);

describe.each(KINDS.map((kind) => kind.name))("the form of a %s", (kind) => {
  it("has a place for everything in the sample, and gives the sample back", () => {
    const samples = KINDS.find((candidate) => candidate.name === kind)?.samples;
    for (const sample of [samples?.typical, samples?.largest]) {
      const node = nodeOf(kind);
      expect(payloadOf(node, filledFrom(node, sample?.payload))).toEqual(sample?.payload);
    }
  });

  it("begins with nothing that a person would have to take back", () => {
    const node = nodeOf(kind);
    const texts = JSON.stringify(emptyOf(node)).match(/:"([^"]+)"/g);
    expect(texts).toBeNull();
  });

  it("names every field in words", () => {
    const unnamed: string[] = [];
    const walk = (node: Node, path: string) => {
      if (node.type === "list") walk(node.item, `${path}[]`);
      if (node.type === "alternatives") for (const option of node.options) walk(option, path);
      if (node.type !== "group") return;
      for (const field of node.fields) {
        if (field.node.title === "") unnamed.push(`${path}.${field.name}`);
        walk(field.node, `${path}.${field.name}`);
      }
    };
    walk(nodeOf(kind), kind);
    expect(unnamed).toEqual([]);
  });
});

describe("a place in a payload", () => {
  it("is called what the form calls it", () => {
    const { schema } = describeKind("monthly-report");
    expect(labelOfPath(schema, ["classes", 2, "teacher"])).toBe("Classes, row 3, Teacher");
    expect(labelOfPath(schema, ["unknown"])).toBe("unknown");
    expect(labelOfPath(null, ["a", 0])).toBe("a, row 1");
  });

  it("is left out of what is sent where it may be and nothing was written", () => {
    const node = nodeOf("onboarding-packet");
    expect(payloadOf(node, emptyOf(node))).not.toHaveProperty("note");
  });
});

describe("cells copied from a spreadsheet", () => {
  const classes = nodeOf("monthly-report");
  const list = classes.type === "group" ? classes.fields.find((field) => field.name === "classes")?.node : undefined;
  const fields = list?.type === "list" && list.item.type === "group" ? list.item.fields : [];

  it("become rows of fields, numbers as numbers", () => {
    const rows = cellsFromClipboard("7A\tDurand\t27\t95,2\t71.4\r\n7B\tLindqvist\t25\t94\t70\r\n", fields, 0);
    expect(rows).toEqual([
      { name: "7A", teacher: "Durand", pupils: 27, attendance: 95.2, averageMark: 71.4 },
      { name: "7B", teacher: "Lindqvist", pupils: 25, attendance: 94, averageMark: 70 },
    ]);
  });

  it("are left alone where they are one cell", () => expect(cellsFromClipboard("Durand", fields, 1)).toBeNull());
});
