import { defaultShouldDehydrateQuery, MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import superjson from "superjson";
import { failureOf } from "./failure";

/** Returns a cache with our defaults: what is not there is not asked for again, and nothing is redacted between our own server and page. */
export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (failureOf(error).code === "unauthenticated") onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // On the server nothing lies between the page and the services: asking again would only keep the page waiting.
        retry: (count, error) => typeof window !== "undefined" && count < 2 && failureOf(error).isUnreadable,
      },
      dehydrate: {
        serializeData: superjson.serialize,
        shouldRedactErrors: () => false,
        shouldDehydrateQuery: (query) => defaultShouldDehydrateQuery(query) || query.state.status === "pending",
      },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });
}
