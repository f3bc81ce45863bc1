import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { api, Prefetched, prefetch } from "../_trpc/server";
import { requireSession } from "../_web/session";
import { Board } from "./board";

export const metadata: Metadata = { title: "Operations" };

/** For operators: is anybody waiting too long, what fails, is anything overdue. Ids, counts and codes only. */
export default async function OperationsPage() {
  const { view } = await requireSession();
  if (!view.isOperator) notFound();
  await prefetch(
    api.operations.lanes.queryOptions(),
    api.operations.deadLetters.queryOptions({ page: 1 }),
    api.operations.timers.queryOptions({ window: "hour" }),
  );
  return (
    <Prefetched>
      <Board />
    </Prefetched>
  );
}
