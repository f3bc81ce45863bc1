/** What a form begins with: nothing, an earlier packet's payload, or the reason why there is none. */
export type Start =
  | null
  | { readonly type: "earlier"; readonly audience: string; readonly payload: unknown }
  /** Its input was kept as long as promised. */
  | { readonly type: "erased" }
  | { readonly type: "absent" };
