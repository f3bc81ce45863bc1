import { router } from "./init";
import { accountsRouter } from "./routers/accounts";
import { operationsRouter } from "./routers/operations";
import { packetsRouter } from "./routers/packets";
import { sourcesRouter } from "./routers/sources";

/** Everything our own pages can ask. */
export const appRouter = router({
  accounts: accountsRouter,
  packets: packetsRouter,
  sources: sourcesRouter,
  operations: operationsRouter,
});
export type AppRouter = typeof appRouter;
