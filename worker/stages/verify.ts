import { acceptance, isAccepted } from "@/server/domain/acceptance";
import { PacketFailure } from "@/server/domain/failure";
import { parseDigest } from "@/server/domain/ids";
import { askSetting } from "../ask-setting";
import { passed, type Stage } from "./stage";

/** The closed file, read by a parser that did not write it, held against the manifest and the kind's rules. [C208,C256,C257,C273,C284] */
export const verify: Stage = {
  name: "verify",
  run: async (work, tools, pulse) => {
    const { assembled } = work.products;
    if (assembled === null) throw new PacketFailure("internal", { detail: "nothing was assembled" });
    const facts = await tools.renderers.ask("verify", { op: "verify", path: assembled.path }, askSetting(work, pulse));
    const digest = parseDigest(facts.digest);
    if (digest === null) throw new PacketFailure("acceptance_failed", { detail: "no digest" });
    const isPreview = work.fidelity === "preview";
    const checks = acceptance(
      { ...facts, digest },
      {
        pagesExpected: assembled.pages,
        pagesMin: isPreview ? 1 : work.kind.pages.min,
        pagesMax: work.kind.pages.max,
        bytesMax: tools.packetBytesMax,
        title: work.title,
        language: work.kind.language,
        hasForeignPages: work.manifest.parts.some((part) => part.type === "file"),
      },
    );
    if (!isAccepted(checks)) {
      const failed = checks.filter((check) => !check.passed).map((check) => `${check.name}: ${check.found}`);
      throw new PacketFailure("acceptance_failed", { detail: failed.join("; ") });
    }
    const publication = {
      digest,
      bytes: facts.bytes,
      pages: assembled.pages,
      pageMap: assembled.pageMap,
      checks,
      archivalLevel: facts.archivalClaim,
    };
    work.products.verified = publication;
    return {
      ...passed({ pages: assembled.pages, bytes: facts.bytes, digest, rendererBuild: tools.rendererBuild }),
      publication,
    };
  },
};
