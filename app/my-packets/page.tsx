import type { Metadata } from "next";
import { PageHeader } from "../_components/page-header";
import { api, Prefetched, prefetch } from "../_trpc/server";
import { requireSession } from "../_web/session";
import { MyPackets } from "./my-packets";

export const metadata: Metadata = { title: "My packets" };

/** What is addressed to this person, from whatever tenant. */
export default async function MyPacketsPage() {
  await requireSession();
  await prefetch(api.packets.mine.queryOptions());
  return (
    <Prefetched>
      <PageHeader title="My packets" description="Documents addressed to you." />
      <MyPackets />
    </Prefetched>
  );
}
