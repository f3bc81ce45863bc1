import type { Schema, Schemas } from "./contract";

/** Returns the schema that a reference stands for, or the schema itself. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : { ...schemas[name], ...withoutReference(schema) };
}

/** Returns what a value is, in a word or two: "text", "list of objects", "whole number or null". */
export function typeWords(schema: Schema, schemas: Schemas): string {
  const own = resolved(schema, schemas);
  const choices = alternativesOf(own);
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeWords(choice, schemas)))].join(" or ");
  if (own.const !== undefined) return JSON.stringify(own.const);
  if (own.enum !== undefined && own.type === undefined) return "text";
  const types = typeof own.type === "string" ? [own.type] : (own.type ?? ["object"]);
  return types.map((type) => oneType(type, own, schemas)).join(" or ");
}

/** Returns the limits that a value keeps, each in a few words. */
export function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    between(minimum, maximum, ""),
    between(minLength, maxLength, " character"),
    between(minItems, maxItems, " item"),
    schema.default === undefined ? null : `${JSON.stringify(schema.default)} where left out`,
  ].filter((words) => words !== null);
}

/** Returns the ways a value can look, where there are several. */
export function alternativesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** Returns an example that the schema itself gives, with every field that is required. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const own = resolved(schema, schemas);
  if (own.examples !== undefined && own.examples.length > 0) return own.examples[0];
  if (own.const !== undefined) return own.const;
  if (own.default !== undefined) return own.default;
  if (own.enum !== undefined) return own.enum[0];
  const [first] = alternativesOf(own);
  if (first !== undefined) return exampleOf(first, schemas);
  const type = typeof own.type === "string" ? own.type : own.type?.[0];
  if (type === "array") return own.items === undefined ? [] : [exampleOf(own.items, schemas)];
  if (type === "integer" || type === "number") return Math.max(own.minimum ?? 0, 0);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "string") return own.format === "uri" ? "https://…" : "…";
  const required = Object.entries(own.properties ?? {}).filter(([name]) => own.required?.includes(name));
  return Object.fromEntries(required.map(([name, property]) => [name, exampleOf(property, schemas)]));
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  null: "null",
};
const FORMATS: Readonly<Record<string, string>> = {
  date: "day",
  "date-time": "instant",
  uri: "address",
  email: "e-mail address",
};

function oneType(type: string, schema: Schema, schemas: Schemas): string {
  if (type === "string") return FORMATS[schema.format ?? ""] ?? "text";
  if (type !== "array") return TYPES[type] ?? type;
  const item = schema.items === undefined ? "values" : typeWords(schema.items, schemas);
  return `list of ${PLURALS[item] ?? item}`;
}

const PLURALS: Readonly<Record<string, string>> = {
  object: "objects",
  text: "texts",
  number: "numbers",
  "whole number": "whole numbers",
  day: "days",
};

function between(least: number | undefined, most: number | undefined, noun: string): string | null {
  // What JavaScript can count to at all is no limit of ours.
  const top = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const bottom = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least;
  if (top === undefined) return bottom === undefined || bottom === 0 ? null : `at least ${counted(bottom, noun)}`;
  return bottom === undefined ? `at most ${counted(top, noun)}` : `${number(bottom)} to ${counted(top, noun)}`;
}

function counted(value: number, noun: string): string {
  return `${number(value)}${noun === "" || value === 1 ? noun : `${noun}s`}`;
}

function number(value: number): string {
  return value.toLocaleString("en-GB");
}

function withoutReference({ $ref: _, ...rest }: Schema): Schema {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}
