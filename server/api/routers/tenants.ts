import { z } from "zod";
import { PERMISSIONS } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { createApiKey } from "@/server/services/tenants/create-api-key";
import { listApiKeys } from "@/server/services/tenants/list-api-keys";
import { revokeApiKey } from "@/server/services/tenants/revoke-api-key";
import { procedure, router } from "../init";

/** What administrators arrange for their tenant. */
export const tenantsRouter = router({
  apiKeys: procedure.query(({ ctx }) => listApiKeys(ctx.services, ctx.actor)),
  createApiKey: procedure
    .input(
      z.strictObject({
        name: z.string().max(200),
        permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length),
        kinds: z.array(z.string().max(60)).max(20),
        scopes: z.array(z.string().max(200)).max(100),
        expiresAt: z.date().nullable(),
      }),
    )
    .mutation(({ ctx, input }) =>
      createApiKey(ctx.services, ctx.actor, { ...input, correlationId: ctx.correlationId }),
    ),
  revokeApiKey: procedure.input(z.strictObject({ keyId: z.string().max(60) })).mutation(({ ctx, input }) => {
    const keyId = parseId("apiKey", input.keyId);
    if (keyId === null) throw new PacketFailure("not_found");
    return revokeApiKey(ctx.services, ctx.actor, { keyId, correlationId: ctx.correlationId });
  }),
});
