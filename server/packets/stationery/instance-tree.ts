import { Fragment, isValidElement, type ReactElement, type ReactNode } from "react";

/** What the renderer lays out: one of its primitives with style and properties, or a run of text. */
export type Instance =
  | {
      readonly type: string;
      readonly box: object;
      readonly style: object;
      readonly props: object;
      readonly children: Instance[];
    }
  | { readonly type: "TEXT_INSTANCE"; readonly value: string };

/**
 * Returns the tree that the renderer lays out, made straight from the element. Components are plain functions without hooks, which is
 * all that a document needs: so a template that throws does it here, where it can be caught, and the renderer's own reconciler, which
 * prints errors and keeps every tree it has seen, has no part in it. [CASE-22]
 */
export function instanceTree(element: ReactElement): Instance {
  const [root, ...rest] = instancesOf(element);
  if (root === undefined || rest.length > 0) throw new TypeError("A document has exactly one root.");
  return root;
}

function instancesOf(node: ReactNode): Instance[] {
  if (node === null || node === undefined || typeof node === "boolean") return [];
  if (typeof node === "string" || typeof node === "number") return [{ type: "TEXT_INSTANCE", value: `${node}` }];
  if (Array.isArray(node)) return node.flatMap(instancesOf);
  if (!isValidElement<Props>(node)) throw new TypeError("Only elements and text can stand in a document.");
  const { type, props } = node;
  if (type === Fragment) return instancesOf(props.children);
  if (isPlainFunction(type)) return instancesOf(type(props));
  if (typeof type !== "string") throw new TypeError("Only plain function components can stand in a document.");
  const { children, style, id, ...rest } = props;
  const inner = instancesOf(children);
  if (!HOLDS_TEXT.has(type) && inner.some((child) => child.type === "TEXT_INSTANCE")) {
    throw new TypeError("Text stands outside a text primitive, where the renderer would drop it.");
  }
  return [{ type, box: {}, style: style ?? {}, props: { ...rest, ...identityOf(id) }, children: inner }];
}

/** The renderer writes a named destination for every id; a row's is for us alone, and a long table would carry thousands. */
function identityOf(id: string | undefined): object {
  if (id === undefined) return {};
  return /^row-\d+$/.test(id) ? { row: Number(id.slice(4)) } : { id };
}

/** The renderer ignores bare text anywhere else. */
const HOLDS_TEXT: ReadonlySet<string> = new Set(["TEXT", "LINK", "TSPAN", "NOTE"]);

interface Props {
  readonly children?: ReactNode;
  readonly style?: object;
  readonly id?: string;
}

function isPlainFunction(type: unknown): type is (props: Props) => ReactNode {
  return typeof type === "function" && !("isReactComponent" in (type.prototype ?? {}));
}
