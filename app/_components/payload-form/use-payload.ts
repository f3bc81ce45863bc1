"use client";

import { type ComponentType, createContext, use, useSyncExternalStore } from "react";
import type { Node, Path } from "./schema";
import type { PayloadStore } from "./store";

export interface FieldProps<Type extends Node["type"] = Node["type"]> {
  readonly node: Extract<Node, { type: Type }>;
  readonly path: Path;
  readonly isRequired: boolean;
  /** Where the label stands elsewhere, such as above a column: what a screen reader says instead. */
  readonly hiddenLabel?: string | undefined;
}

export interface FormContext {
  readonly store: PayloadStore;
  /** The kind, for uploads of its tables. */
  readonly kind: string;
  /** Draws the control of any place; here, because groups and lists hold places of every type. */
  readonly Control: ComponentType<FieldProps>;
}

export const PayloadForm = createContext<FormContext | null>(null);

/** Returns the form this field stands in. */
export function usePayloadForm(): FormContext {
  const form = use(PayloadForm);
  if (form === null) throw new Error("This component stands below PayloadForm.");
  return form;
}

/** Returns the value at `path`, what is wrong with it, and the way to change it. */
export function useField(path: Path) {
  const { store } = usePayloadForm();
  const value = useSyncExternalStore(
    store.subscribe,
    () => store.at(path),
    () => store.at(path),
  );
  const problem = useSyncExternalStore(
    store.subscribe,
    () => store.problemAt(path),
    () => store.problemAt(path),
  );
  return { value, problem, write: (next: unknown) => store.write(path, next) };
}

/** Returns the form's findings and how often it was changed. */
export function useFormState(store: PayloadStore) {
  const findings = useSyncExternalStore(store.subscribe, store.findings, store.findings);
  const changes = useSyncExternalStore(store.subscribe, store.changes, store.changes);
  return { findings, changes };
}

/** The element id of the field at `path`, so that a list of problems can lead there. */
export function fieldId(path: Path): string {
  return `field-${path.join("-")}`;
}
