import type { ReactNode } from "react";
import { SignedIn } from "../_shell/signed-in";

export default function SettingsLayout({ children }: { readonly children: ReactNode }) {
  return <SignedIn>{children}</SignedIn>;
}
