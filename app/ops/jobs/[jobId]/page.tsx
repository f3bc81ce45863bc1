import { TRPCError } from "@trpc/server";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { api, fetched, Prefetched } from "../../../_trpc/server";
import { requireSession } from "../../../_web/session";
import { JobPage } from "./job-page";

export const metadata: Metadata = { title: "Job" };

interface Props {
  readonly params: Promise<{ readonly jobId: string }>;
}

/** For operators: all that is known of one job, in ids, counts, codes and instants. */
export default async function Page({ params }: Props) {
  const { view } = await requireSession();
  if (!view.isOperator) notFound();
  const { jobId } = await params;
  await fetched(api.operations.job.queryOptions({ jobId })).catch(absent);
  return (
    <Prefetched>
      <JobPage jobId={jobId} />
    </Prefetched>
  );
}

function absent(error: unknown): void {
  if (error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST")) notFound();
  throw error;
}
