import { z } from "zod";
import { listLibrary } from "@/server/services/library/list-library";
import { readSources } from "@/server/services/sources/read-sources";
import { procedure, router } from "../init";

/** Uploaded files and the document library. The bytes go through `POST /api/uploads`, not through here. */
export const sourcesRouter = router({
  read: procedure
    .input(z.strictObject({ sourceIds: z.array(z.string().max(60)).max(500) }))
    .query(({ ctx, input }) => readSources(ctx.services, ctx.actor, input.sourceIds)),
  library: procedure.query(({ ctx }) => listLibrary(ctx.services, ctx.actor, "policy")),
});
