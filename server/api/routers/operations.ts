import { z } from "zod";
import { listDeadLetters } from "@/server/services/operations/list-dead-letters";
import { readLanes } from "@/server/services/operations/read-lanes";
import { procedure, router } from "../init";

/** What operators see: ids, counts and codes. */
export const operationsRouter = router({
  lanes: procedure.query(({ ctx }) => readLanes(ctx.services, ctx.actor)),
  deadLetters: procedure
    .input(z.strictObject({ page: z.int().min(1).max(10_000).default(1) }))
    .query(({ ctx, input }) => listDeadLetters(ctx.services, ctx.actor, input)),
});
