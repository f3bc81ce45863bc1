import { z } from "zod";
import { openApiDocument } from "@/server/http/openapi";

/** The parts of a JSON Schema that our contract uses. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
  readonly examples?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

const text = z.string().optional();
const count = z.number().optional();
const SchemaRead: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    ...{ $ref: text, title: text, description: text, format: text, pattern: text },
    type: z.union([z.string(), z.array(z.string())]).optional(),
    ...{ const: z.unknown().optional(), default: z.unknown().optional() },
    ...{ enum: z.array(z.unknown()).optional(), examples: z.array(z.unknown()).optional() },
    properties: z.record(z.string(), SchemaRead).optional(),
    required: z.array(z.string()).optional(),
    items: SchemaRead.optional(),
    ...{ anyOf: z.array(SchemaRead).optional(), oneOf: z.array(SchemaRead).optional() },
    ...{ minimum: count, maximum: count, minLength: count, maxLength: count, minItems: count, maxItems: count },
  }),
);

const Content = z.record(
  z.string(),
  z.object({
    schema: SchemaRead,
    examples: z.record(z.string(), z.object({ summary: text, value: z.unknown() })).optional(),
  }),
);
const Call = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(""),
  parameters: z
    .array(
      z.object({
        in: z.enum(["path", "query", "header"]),
        name: z.string(),
        schema: SchemaRead,
        description: text,
        required: z.boolean().default(false),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      headers: z.record(z.string(), z.object({ description: text, schema: SchemaRead })).default({}),
      content: Content.optional(),
    }),
  ),
});
const Contract = z.object({
  info: z.object({ title: z.string(), summary: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Call)),
  components: z.object({ schemas: z.record(z.string(), SchemaRead) }),
});

export type CallView = z.output<typeof Call> & { readonly method: string; readonly path: string };
export type Schemas = Readonly<Record<string, Schema>>;

export interface ContractView {
  readonly introduction: string;
  readonly groups: readonly {
    readonly name: string;
    readonly description: string;
    readonly calls: readonly CallView[];
  }[];
  readonly schemas: Schemas;
}

/** Returns the contract that programs are given, in the order in which it is told. What this page cannot show stops it. */
export function readContract(baseUrl: string): ContractView {
  const { info, tags, paths, components } = Contract.parse(openApiDocument(baseUrl));
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): CallView => ({ ...call, method: method.toUpperCase(), path })),
  );
  return {
    introduction: info.description,
    groups: tags.map((tag) => ({ ...tag, calls: calls.filter((call) => call.tags.includes(tag.name)) })),
    schemas: components.schemas,
  };
}
