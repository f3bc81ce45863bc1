import { z } from "zod/mini";

export type Path = readonly (string | number)[];

interface Words {
  readonly title: string;
  readonly help: string | null;
  readonly example: string | null;
}

export type TextFormat = "line" | "prose" | "email" | "date" | "month" | "time" | "money";

/** One place of a payload, as the form sees it. */
export type Node = Words &
  (
    | { readonly type: "group"; readonly fields: readonly Field[] }
    | { readonly type: "list"; readonly item: Node; readonly min: number; readonly max: number }
    | { readonly type: "alternatives"; readonly options: readonly Node[] }
    | { readonly type: "text"; readonly format: TextFormat; readonly max: number | null }
    | { readonly type: "number"; readonly isWhole: boolean; readonly min: number | null; readonly max: number | null }
    | { readonly type: "one-of"; readonly values: readonly string[] }
    | { readonly type: "yes-no" }
    | { readonly type: "source" }
    | { readonly type: "table" }
    | { readonly type: "policies" }
  );

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly node: Node;
}

const Raw = z.object({
  type: z.optional(z.string()),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  examples: z.optional(z.array(z.unknown())),
  widget: z.optional(z.string()),
  format: z.optional(z.string()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  items: z.optional(z.unknown()),
  anyOf: z.optional(z.array(z.unknown())),
  enum: z.optional(z.array(z.string())),
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
});
type Raw = z.infer<typeof Raw>;

/** Returns the form's view of a JSON Schema as a kind describes it. What the form does not know, it shows as a line of text. */
export function readSchema(json: unknown): Node {
  const parsed = Raw.safeParse(json);
  const raw: Raw = parsed.success ? parsed.data : {};
  const [example] = raw.examples ?? [];
  const words = {
    title: raw.title ?? "",
    help: raw.description ?? null,
    example: typeof example === "string" || typeof example === "number" ? String(example) : null,
  };
  if (raw.widget === "source") return { ...words, type: "source" };
  if (raw.widget === "source-table") return { ...words, type: "table" };
  if (raw.widget === "library-policy") return { ...words, type: "policies" };
  if (raw.anyOf !== undefined) return { ...words, type: "alternatives", options: raw.anyOf.map(readSchema) };
  if (raw.type === "object") return { ...words, type: "group", fields: fieldsOf(raw) };
  if (raw.type === "array") {
    return { ...words, type: "list", item: readSchema(raw.items), min: raw.minItems ?? 0, max: raw.maxItems ?? 1_000 };
  }
  if (raw.type === "boolean") return { ...words, type: "yes-no" };
  if (raw.enum !== undefined) return { ...words, type: "one-of", values: raw.enum };
  if (raw.type === "number" || raw.type === "integer") {
    return {
      ...words,
      type: "number",
      isWhole: raw.type === "integer",
      min: raw.minimum ?? null,
      max: raw.maximum ?? null,
    };
  }
  return { ...words, type: "text", format: formatOf(raw, words.example), max: raw.maxLength ?? null };
}

function fieldsOf(raw: Raw): Field[] {
  return Object.entries(raw.properties ?? {}).map(([name, json]) => ({
    name,
    isRequired: raw.required?.includes(name) ?? false,
    node: readSchema(json),
  }));
}

function formatOf(raw: Raw, example: string | null): TextFormat {
  if (raw.widget === "textarea") return "prose";
  if (raw.widget === "period") return "month";
  if (raw.widget === "money") return "money";
  if (raw.format === "email") return "email";
  if (raw.format === "date") return "date";
  // A time of day has no format of its own here; its example shows what it is.
  return example !== null && /^\d\d:\d\d$/.test(example) ? "time" : "line";
}

/** Returns what people call the place at `path`: "New colleague, Full name" or "Classes, row 3, Teacher". */
export function labelOfPath(json: unknown, path: Path): string {
  const words: string[] = [];
  let node: Node | null = json === null ? null : readSchema(json);
  for (const step of path) {
    if (typeof step === "number") {
      words.push(`row ${step + 1}`);
      node = listOf(node)?.item ?? null;
      continue;
    }
    const field: Field | undefined = groupOf(node)?.fields.find((candidate) => candidate.name === step);
    words.push(field?.node.title || step);
    node = field?.node ?? null;
  }
  return words.join(", ");
}

function listOf(node: Node | null) {
  if (node?.type === "alternatives") return node.options.find((option) => option.type === "list") ?? null;
  return node?.type === "list" ? node : null;
}

function groupOf(node: Node | null) {
  if (node?.type === "alternatives") return node.options.find((option) => option.type === "group") ?? null;
  return node?.type === "group" ? node : null;
}
