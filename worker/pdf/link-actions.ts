import type { Destinations, LocalDestination, NamedElsewhere } from "./destinations";
import type { PdfFile } from "./reader/pdf-file";
import { latin1, nameOf, type PdfDict, PdfString } from "./reader/pdf-object";

/** What happens when someone follows a link or bookmark. `active` is everything but moving within the book and to the web. */
export type LinkAction =
  | { readonly kind: "none" }
  | { readonly kind: "active" }
  | { readonly kind: "web"; readonly uri: Uint8Array }
  | { readonly kind: "move"; readonly to: LocalDestination | NamedElsewhere };

/** Returns the one thing that a link annotation or bookmark does; chains of further actions are never followed. [C112] */
export function actionOf(file: PdfFile, holder: PdfDict, destinations: Destinations): LinkAction {
  const direct = holder.get("Dest");
  if (direct !== undefined) return moveTo(destinations.find(direct));
  const action = file.get(holder, "A");
  if (!(action instanceof Map)) return { kind: "none" };
  const type = nameOf(file.get(action, "S"));
  if (type === "GoTo") return moveTo(destinations.find(action.get("D")));
  if (type === "URI") {
    const uri = file.get(action, "URI");
    if (uri instanceof PdfString && isWebAddress(latin1(uri.bytes))) return { kind: "web", uri: uri.bytes };
  }
  if (type === "Named" && MOVES.has(nameOf(file.get(action, "N")) ?? "")) return { kind: "none" };
  return { kind: "active" };
}

function moveTo(to: LocalDestination | NamedElsewhere | null): LinkAction {
  return to === null ? { kind: "none" } : { kind: "move", to };
}

/** An address without a scheme is one that somebody typed; every other scheme than these can start a program. */
export function isWebAddress(uri: string): boolean {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto", "tel"].includes(scheme);
}

const MOVES = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage"]);
