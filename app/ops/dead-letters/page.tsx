import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { api, Prefetched, prefetch } from "../../_trpc/server";
import { requireSession } from "../../_web/session";
import { DeadLetterPage } from "./dead-letter-page";
import { readFilter } from "./filter";

export const metadata: Metadata = { title: "Dead letters" };

interface Props {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** For operators: jobs no attempt will touch without them. */
export default async function Page({ searchParams }: Props) {
  const { view } = await requireSession();
  if (!view.isOperator) notFound();
  const query = await searchParams;
  const filter = readFilter((name) => [query[name]].flat()[0] ?? null);
  await prefetch(api.operations.deadLetters.queryOptions(filter));
  return (
    <Prefetched>
      <DeadLetterPage />
    </Prefetched>
  );
}
