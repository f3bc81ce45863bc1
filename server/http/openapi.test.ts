import { globSync, readFileSync } from "node:fs";
import { createConfig, lintFromString, stringifyYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { KINDS } from "@/server/packets/registry";
import { BatchSubmission, PacketSubmission } from "./machine-schemas";
import { openApiDocument } from "./openapi";

const document = openApiDocument("https://bindery.example.org");
const METHODS = ["get", "put", "post", "delete", "patch"] as const;

function operations(): { address: string; method: string; responses: string[] }[] {
  return Object.entries(document.paths ?? {}).flatMap(([address, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ address, method, responses: Object.keys(operation.responses ?? {}) }];
    }),
  );
}

describe("the description of the HTTP contract", () => {
  it("is OpenAPI 3.1 without a single finding of the linter's recommended rules", async () => {
    expect(document.openapi).toBe("3.1.0");
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: stringifyYaml(JSON.parse(JSON.stringify(document))), config });
    expect(problems.map((problem) => `${problem.ruleId} ${problem.location[0]?.pointer} ${problem.message}`)).toEqual(
      [],
    );
  });

  it("names every route and method that answers, and no other", () => {
    const routes = globSync("app/api/v1/**/route.ts").filter((file) => !/openapi\.json|unknown/.test(file));
    const served = routes.flatMap((file) => {
      const address = `/${file.replaceAll("\\", "/").slice("app/".length, -"/route.ts".length)}`.replace(
        /\[(\w+)\]/g,
        "{$1}",
      );
      const text = readFileSync(file, "utf8");
      const refused = new Set([...text.matchAll(/others as (\w+)/g)].map(([, method]) => method));
      const offered = METHODS.filter((method) => new RegExp(`\\b${method.toUpperCase()}\\b`).test(text));
      return offered.filter((method) => !refused.has(method.toUpperCase())).map((method) => `${method} ${address}`);
    });
    expect(
      operations()
        .map(({ method, address }) => `${method} ${address}`)
        .sort(),
    ).toEqual(served.sort());
  });

  it("describes the payload of every kind, field by field", () => {
    for (const kind of KINDS) {
      const name = `${kind.name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Payload`;
      const schema = document.components?.schemas?.[name];
      expect(Object.keys(Object(Reflect.get(Object(schema), "properties"))).length, name).toBeGreaterThan(2);
    }
  });

  it("gives examples that its own schemas take", () => {
    const post = document.paths?.["/api/v1/packets"]?.post;
    const body = Object(post?.requestBody).content["application/json"].examples;
    for (const kind of KINDS) {
      const { value } = body[kind.name];
      expect(PacketSubmission.safeParse(value).success, kind.name).toBe(true);
      expect(kind.payload.safeParse(value.payload).success, kind.name).toBe(true);
    }
    const batch = document.paths?.["/api/v1/packets/batch"]?.post;
    for (const { value } of Object.values<{ value: unknown }>(
      Object(batch?.requestBody).content["application/json"].examples,
    ))
      expect(BatchSubmission.safeParse(value).success).toBe(true);
  });

  it("says of every call what it answers without a key, and where the trouble is ours", () => {
    for (const { responses } of operations()) expect(responses).toEqual(expect.arrayContaining(["401", "403", "500"]));
  });
});
