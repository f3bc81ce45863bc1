import { PacketFailure } from "@/server/domain/failure";
import { orderManifest } from "@/server/domain/manifest";
import { checkPayload } from "@/server/packets/check-payload";
import { passed, type Stage } from "./stage";

/** The stored input still passes today's schema and rules. Policies may have changed while the job waited. [C90,C92,C116,C125] */
export const validate: Stage = {
  name: "validate",
  run: async (work) => {
    const payload = checkPayload(work.kind, work.payload, work.today);
    if (!work.kind.audiences.includes(work.audience)) throw new PacketFailure("payload_invalid");
    const manifest = orderManifest(work.manifest);
    const references = work.kind.sources(payload).length;
    return passed({ parts: manifest.parts.length, references, validationVersion: work.kind.validationVersion });
  },
};
