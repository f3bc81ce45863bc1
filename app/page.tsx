import { redirect } from "next/navigation";
import { homeOf, requireSession } from "./_web/session";

/** Leads everybody to the page they start on. */
export default async function HomePage() {
  redirect(homeOf((await requireSession()).view));
}
