import { PacketFailure } from "@/server/domain/failure";
import { manifestDigest, orderManifest } from "@/server/domain/manifest";
import { canonicalDigest } from "@/server/domain/request";
import { checkPayload } from "@/server/packets/check-payload";
import { passed, type Stage } from "./stage";

/**
 * The stored input is what was accepted, and still passes today's schema and rules: policies may have changed while the job waited.
 * [C90,C92,C116,C117,C125]
 */
export const validate: Stage = {
  name: "validate",
  run: async (work) => {
    const { accepted } = work;
    if (canonicalDigest(work.payload) !== accepted.payload || manifestDigest(work.manifest) !== accepted.manifest) {
      throw new PacketFailure("input_altered");
    }
    const payload = checkPayload(work.kind, work.payload, work.today);
    if (!work.kind.audiences.includes(work.audience)) throw new PacketFailure("payload_invalid");
    const manifest = orderManifest(work.manifest);
    const references = work.kind.sources(payload).length;
    return passed({ parts: manifest.parts.length, references, validationVersion: work.kind.validationVersion });
  },
};
