const CONTROLS = "input, textarea, select, button";

/** Moves the focus to the element of this id, or to the first control within it, and into view. */
export function focusFirst(id: string): void {
  const place = document.getElementById(id);
  const control = place?.matches(CONTROLS) ? place : place?.querySelector<HTMLElement>(CONTROLS);
  (control ?? place)?.scrollIntoView({ block: "center" });
  control?.focus();
}
