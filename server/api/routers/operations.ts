import { z } from "zod";
import { DEAD_LETTERS_AT_ONCE_MAX, DISCARD_REASONS, REDRIVE_REASONS } from "@/server/domain/dead-letter";
import { type JobId, parseId } from "@/server/domain/ids";
import { listDeadLetters } from "@/server/services/operations/list-dead-letters";
import { readJob } from "@/server/services/operations/read-job";
import { readLanes } from "@/server/services/operations/read-lanes";
import { readTimers, WINDOWS } from "@/server/services/operations/read-timers";
import { discardDeadLetters, redriveDeadLetters } from "@/server/services/operations/settle-dead-letters";
import { procedure, router } from "../init";

const jobId = z.string().transform((value, ctx): JobId => {
  const id = parseId("job", value);
  if (id !== null) return id;
  ctx.addIssue({ code: "custom", message: "Not an id of a job." });
  return z.NEVER;
});
const filter = z.strictObject({
  code: z.string().max(60).optional(),
  kind: z.string().max(60).optional(),
  stage: z.string().max(60).optional(),
  tenantId: z.string().max(60).optional(),
});
const choice = z.union([
  z.strictObject({ jobIds: z.array(jobId).min(1).max(DEAD_LETTERS_AT_ONCE_MAX) }),
  z.strictObject({ filter }),
]);

/** What operators see and do: ids, counts and codes. */
export const operationsRouter = router({
  lanes: procedure.query(({ ctx }) => readLanes(ctx.services, ctx.actor)),
  timers: procedure
    .input(z.strictObject({ window: z.enum(WINDOWS).default("hour") }))
    .query(({ ctx, input }) => readTimers(ctx.services, ctx.actor, input.window)),
  job: procedure
    .input(z.strictObject({ jobId }))
    .query(({ ctx, input }) => readJob(ctx.services, ctx.actor, input.jobId)),
  deadLetters: procedure
    .input(filter.extend({ page: z.int().min(1).max(10_000).default(1) }))
    .query(({ ctx, input }) => listDeadLetters(ctx.services, ctx.actor, input)),
  redrive: procedure
    .input(z.strictObject({ choice, reason: z.enum(REDRIVE_REASONS) }))
    .mutation(({ ctx, input }) =>
      redriveDeadLetters(ctx.services, ctx.actor, { ...input, correlationId: ctx.correlationId }),
    ),
  discard: procedure
    .input(z.strictObject({ choice, reason: z.enum(DISCARD_REASONS) }))
    .mutation(({ ctx, input }) =>
      discardDeadLetters(ctx.services, ctx.actor, { ...input, correlationId: ctx.correlationId }),
    ),
});
