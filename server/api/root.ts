import { router } from "./init";
import { accountsRouter } from "./routers/accounts";
import { operationsRouter } from "./routers/operations";
import { packetsRouter } from "./routers/packets";
import { sourcesRouter } from "./routers/sources";
import { tenantsRouter } from "./routers/tenants";

/** Everything our own pages can ask. */
export const appRouter = router({
  accounts: accountsRouter,
  packets: packetsRouter,
  sources: sourcesRouter,
  operations: operationsRouter,
  tenants: tenantsRouter,
});
export type AppRouter = typeof appRouter;
