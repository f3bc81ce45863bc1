"use client";

import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import type { AppRouter } from "@/server/api/root";
import { signInPath } from "@/server/http/own-path";
import { makeQueryClient } from "./query-client";

const context = createTRPCContext<AppRouter>();

/** Options for TanStack Query, one per procedure. */
export const useApi = context.useTRPC;
/** Direct calls, where a schedule of ours decides when to ask. */
export const useApiClient = context.useTRPCClient;

let inBrowser: QueryClient | undefined;

/** Gives every page below it the API and its cache. */
export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const queryClient = queryClientHere();
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [httpBatchLink({ url: "/api/trpc", transformer: superjson, maxItems: 10 })],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <context.TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </context.TRPCProvider>
    </QueryClientProvider>
  );
}

/** One cache per browser; one per request on the server, where people must not share one. */
function queryClientHere(): QueryClient {
  if (typeof window === "undefined") return makeQueryClient(() => undefined);
  inBrowser ??= makeQueryClient(() => {
    window.location.assign(signInPath(window.location.pathname + window.location.search));
  });
  return inBrowser;
}
