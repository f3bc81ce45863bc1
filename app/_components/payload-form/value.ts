import type { Node, Path } from "./schema";

/** Returns what an untouched form holds for this node. */
export function emptyOf(node: Node): unknown {
  switch (node.type) {
    case "group":
      return Object.fromEntries(node.fields.map((field) => [field.name, emptyOf(field.node)]));
    case "list":
      return Array.from({ length: Math.min(node.min, 1) }, () => emptyOf(node.item));
    case "alternatives":
      return node.options[0] === undefined ? "" : emptyOf(node.options[0]);
    case "yes-no":
      return false;
    case "policies":
      return [];
    default:
      return "";
  }
}

/** Returns `value` in the shape of the form: what is missing is empty, so that every field has something to show. */
export function filledFrom(node: Node, value: unknown): unknown {
  switch (node.type) {
    case "group": {
      const given = isRecord(value) ? value : {};
      return Object.fromEntries(node.fields.map(({ name, node: child }) => [name, filledFrom(child, given[name])]));
    }
    case "list":
      return Array.isArray(value) ? value.map((item) => filledFrom(node.item, item)) : emptyOf(node);
    case "alternatives": {
      const option = node.options[chosenOption(node, value)];
      return option === undefined || value === undefined ? emptyOf(node) : filledFrom(option, value);
    }
    default:
      return value === undefined ? emptyOf(node) : value;
  }
}

/** Returns the payload to send: fields left empty are left out where they may be. */
export function payloadOf(node: Node, value: unknown): unknown {
  switch (node.type) {
    case "group": {
      const given = isRecord(value) ? value : {};
      const entries = node.fields.flatMap(({ name, isRequired, node: child }) => {
        const sent = payloadOf(child, given[name]);
        const isLeftOut = sent === undefined || (!isRequired && sent === "");
        return isLeftOut ? [] : [[name, sent] as const];
      });
      return Object.fromEntries(entries);
    }
    case "list":
      return Array.isArray(value) ? value.map((item) => payloadOf(node.item, item)) : [];
    case "alternatives": {
      const option = node.options[chosenOption(node, value)];
      return option === undefined ? value : payloadOf(option, value);
    }
    case "number":
      return value === "" ? undefined : value;
    case "one-of":
      return value === "" || value === null ? undefined : value;
    default:
      return value;
  }
}

/** Returns which alternative a value belongs to: a list, or a group. */
export function chosenOption(node: Node & { type: "alternatives" }, value: unknown): number {
  const wanted = Array.isArray(value) ? "list" : "group";
  return Math.max(
    node.options.findIndex((option) => option.type === wanted),
    0,
  );
}

/** Returns what lies at `path`, or undefined. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, step) : undefined;
  return value;
}

/** Returns `root` with another value at `path`. Everything off the path stays the same object. */
export function withValueAt(root: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(root)) return root.map((item, index) => (index === step ? withValueAt(item, rest, value) : item));
  const record = isRecord(root) ? root : {};
  return { ...record, [step]: withValueAt(record[step], rest, value) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
