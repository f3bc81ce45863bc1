import { z } from "zod";
import { type JobId, parseId } from "@/server/domain/ids";
import { cancelPacket } from "@/server/services/packets/cancel-packet";
import { describeKind, listKinds } from "@/server/services/packets/describe-kind";
import { listHistory } from "@/server/services/packets/list-history";
import { listMyPackets } from "@/server/services/packets/list-my-packets";
import { listPackets } from "@/server/services/packets/list-packets";
import { previewPacket } from "@/server/services/packets/preview-packet";
import { readPacket } from "@/server/services/packets/read-packet";
import { readPayload } from "@/server/services/packets/read-payload";
import { readPreview } from "@/server/services/packets/read-preview";
import { retryPacket } from "@/server/services/packets/retry-packet";
import { submitPacket } from "@/server/services/packets/submit-packet";
import { procedure, router } from "../init";

const jobId = z.string().transform((value, ctx): JobId => {
  const id = parseId("job", value);
  if (id === null) {
    ctx.addIssue({ code: "custom", message: "Not an id of a packet." });
    return z.NEVER;
  }
  return id;
});
const byJob = z.strictObject({ jobId });
const request = z.strictObject({
  kind: z.string().max(60),
  audience: z.string().max(60).optional(),
  payload: z.unknown(),
});

/** Packets: kinds, submitting, watching, previews. */
export const packetsRouter = router({
  kinds: procedure.query(({ ctx }) =>
    listKinds().filter((kind) => ctx.view.tenant?.kinds.includes(kind.name) ?? false),
  ),
  describeKind: procedure
    .input(z.strictObject({ kind: z.string().max(60) }))
    .query(({ input }) => describeKind(input.kind)),
  submit: procedure
    .input(request)
    .mutation(({ ctx, input }) =>
      submitPacket(ctx.services, ctx.actor, { ...input, correlationId: ctx.correlationId }),
    ),
  preview: procedure
    .input(request)
    .mutation(({ ctx, input }) =>
      previewPacket(ctx.services, ctx.actor, { ...input, correlationId: ctx.correlationId }),
    ),
  readPreview: procedure.input(byJob).query(({ ctx, input }) => readPreview(ctx.services, ctx.actor, input.jobId)),
  read: procedure.input(byJob).query(({ ctx, input }) => readPacket(ctx.services, ctx.actor, input.jobId)),
  readPayload: procedure.input(byJob).query(({ ctx, input }) => readPayload(ctx.services, ctx.actor, input.jobId)),
  history: procedure.input(byJob).query(({ ctx, input }) => listHistory(ctx.services, ctx.actor, input.jobId)),
  cancel: procedure.input(byJob).mutation(({ ctx, input }) => cancelPacket(ctx.services, ctx.actor, input.jobId)),
  retry: procedure
    .input(byJob)
    .mutation(({ ctx, input }) => retryPacket(ctx.services, ctx.actor, input.jobId, ctx.correlationId)),
  list: procedure
    .input(
      z.strictObject({
        kind: z.string().max(60).optional(),
        state: z.enum(["queued", "running", "succeeded", "failed"]).optional(),
        text: z.string().trim().max(200).optional(),
        page: z.int().min(1).max(10_000).default(1),
      }),
    )
    .query(({ ctx, input }) => listPackets(ctx.services, ctx.actor, input)),
  mine: procedure.query(({ ctx }) => listMyPackets(ctx.services, ctx.actor)),
});
