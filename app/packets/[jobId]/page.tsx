import { TRPCError } from "@trpc/server";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { api, fetched, Prefetched, prefetch } from "../../_trpc/server";
import { requireSession } from "../../_web/session";
import { PacketPage } from "./packet-page";

export const metadata: Metadata = { title: "Packet" };

interface Props {
  readonly params: Promise<{ readonly jobId: string }>;
}

/** One packet: what it is, how far it is, what was checked, how long it is kept. */
export default async function Page({ params }: Props) {
  await requireSession();
  const { jobId } = await params;
  const packet = await fetched(api.packets.read.queryOptions({ jobId })).catch(nothing);
  if (packet === null || packet.fidelity === "preview") notFound();
  await prefetch(api.packets.history.queryOptions({ jobId }));
  return (
    <Prefetched>
      <PacketPage jobId={jobId} />
    </Prefetched>
  );
}

/** What is not there and what is not ours look the same. */
function nothing(error: unknown): null {
  const isAbsent = error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST");
  if (isAbsent) return null;
  throw error;
}
