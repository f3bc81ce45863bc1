import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { api, Prefetched, prefetch } from "../_trpc/server";
import { homeOf, requireSession } from "../_web/session";
import { readFilter } from "./filter";
import { PacketList } from "./packet-list";

export const metadata: Metadata = { title: "Packets" };

interface Props {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The tenant's packets. What is shown is in the address: search, kind, state, page. */
export default async function PacketsPage({ searchParams }: Props) {
  const { view } = await requireSession();
  const home = homeOf(view);
  if (home !== "/packets") redirect(home);
  const given = await searchParams;
  const filter = readFilter((name) => (typeof given[name] === "string" ? given[name] : null));
  await prefetch(api.packets.list.queryOptions(filter), api.packets.kinds.queryOptions());
  return (
    <Prefetched>
      <PacketList />
    </Prefetched>
  );
}
