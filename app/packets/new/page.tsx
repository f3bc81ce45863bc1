import type { Metadata } from "next";
import { PageHeader } from "../../_components/page-header";
import { api, Prefetched, prefetch } from "../../_trpc/server";
import { requireSession } from "../../_web/session";
import { KindChoice } from "./kind-choice";

export const metadata: Metadata = { title: "New packet" };

/** What to make. */
export default async function NewPacketPage() {
  await requireSession();
  await prefetch(api.packets.kinds.queryOptions());
  return (
    <Prefetched>
      <PageHeader
        title="New packet"
        trail={[{ href: "/packets", label: "Packets" }]}
        description="What should it be?"
      />
      <KindChoice />
    </Prefetched>
  );
}
