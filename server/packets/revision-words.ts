/** Returns what a page calls its revision: its number, or "draft" while it has none, as in a preview. */
export function revisionWords(revision: { readonly number: number }): string {
  return revision.number === 0 ? "draft" : `${revision.number}`;
}
