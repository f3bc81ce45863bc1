import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";
import { signOut, switchTenant } from "@/server/services/accounts/read-session";
import { procedure, publicProcedure, router } from "../init";

/** Who is signed in, and for which tenant they act. */
export const accountsRouter = router({
  session: publicProcedure.query(({ ctx }) => ctx.session?.view ?? null),
  switchTenant: procedure.input(z.strictObject({ tenantId: z.string().max(60) })).mutation(({ ctx, input }) => {
    const tenantId = parseId("tenant", input.tenantId);
    if (tenantId === null) throw new PacketFailure("not_found");
    return switchTenant(ctx.services, ctx.actor, tenantId);
  }),
  signOut: procedure.mutation(({ ctx }) => signOut(ctx.services, ctx.actor)),
});
