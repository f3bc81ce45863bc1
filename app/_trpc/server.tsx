import { randomUUID } from "node:crypto";
import {
  type DataTag,
  dehydrate,
  type FetchQueryOptions,
  HydrationBoundary,
  type QueryKey,
} from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cache, type ReactNode } from "react";
import type { ApiContext } from "@/server/api/init";
import { appRouter } from "@/server/api/root";
import { findSession } from "../_web/session";
import { web } from "../_web/web";
import { makeQueryClient } from "./query-client";

const queryClient = cache(() => makeQueryClient(() => undefined));

/** The API for server components: the same procedures, called without HTTP. */
export const api = createTRPCOptionsProxy({ router: appRouter, ctx: openContext, queryClient });

/** Returns what a call from a server component is made with. */
export async function openContext(): Promise<ApiContext> {
  const services = await web();
  return { services, session: await findSession(), correlationId: randomUUID(), log: services.log };
}

/**
 * Fetches on the server what a page will ask for, so that it arrives with the page. A refusal is left to the page, which asks again and
 * shows it in its place.
 */
export async function prefetch(...queries: readonly { readonly queryKey: QueryKey }[]): Promise<void> {
  // The options of different procedures have no common type but this one; each holds its own queryFn.
  await Promise.all(queries.map((query) => queryClient().prefetchQuery(query as FetchQueryOptions)));
}

/** Like `prefetch` for one query, but answers with its data and rejects where it is refused. */
export function fetched<Data>(query: { readonly queryKey: DataTag<QueryKey, Data, unknown> }): Promise<Data> {
  return queryClient().fetchQuery(query as FetchQueryOptions<Data>);
}

/** Hands what was prefetched to the components below. */
export function Prefetched({ children }: { readonly children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(queryClient())}>{children}</HydrationBoundary>;
}
