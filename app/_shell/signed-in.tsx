import type { ReactNode } from "react";
import { requireSession } from "../_web/session";
import { PersonProvider } from "./person";
import { Shell } from "./shell";

/** The frame of every page that needs a person: navigation, tenant, account. */
export async function SignedIn({ children }: { readonly children: ReactNode }) {
  const { view } = await requireSession();
  return (
    <PersonProvider view={view}>
      <Shell>{children}</Shell>
    </PersonProvider>
  );
}
