import { TRPCError } from "@trpc/server";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readEnv } from "@/server/env";
import { api, fetched, Prefetched } from "../../../_trpc/server";
import { requireSession } from "../../../_web/session";
import { BookComposer, PacketForm } from "./lazy-work";
import type { Start } from "./start";

export const metadata: Metadata = { title: "New packet" };

interface Props {
  readonly params: Promise<{ readonly kind: string }>;
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** A form made from the kind's own description; a book has a composer of its own. */
export default async function Page({ params, searchParams }: Props) {
  const { view } = await requireSession();
  const { kind } = await params;
  const { from } = await searchParams;
  if (!view.tenant?.kinds.includes(kind)) notFound();
  await fetched(api.packets.describeKind.queryOptions({ kind }));
  const start = typeof from === "string" ? await startFrom(from, kind) : null;
  const { uploadBytesMax, packetBytesMax } = readEnv();
  const Work = kind === "board-book" ? BookComposer : PacketForm;
  return (
    <Prefetched>
      <Work kind={kind} start={start} limits={{ uploadBytesMax, packetBytesMax }} />
    </Prefetched>
  );
}

/** What an earlier packet was made from. */
async function startFrom(jobId: string, kind: string): Promise<Start> {
  try {
    const earlier = await fetched(api.packets.readPayload.queryOptions({ jobId }));
    if (earlier === null) return { type: "erased" };
    if (earlier.kind !== kind) return { type: "absent" };
    return { type: "earlier", audience: earlier.audience, payload: earlier.payload };
  } catch (error) {
    if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST"))
      return { type: "absent" };
    throw error;
  }
}
