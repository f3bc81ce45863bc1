import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { maySubmit } from "../../_shell/places";
import { requireSession } from "../../_web/session";

/** Forms are for those who may submit them; to others there is nothing here. */
export default async function NewPacketLayout({ children }: { readonly children: ReactNode }) {
  const { view } = await requireSession();
  if (!maySubmit(view)) notFound();
  return children;
}
