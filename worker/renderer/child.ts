import "./no-network";
import { type Operations, serve } from "./serve";

/** Each operation loads its own packages when it is first asked for. */
const OPERATIONS: Operations = {
  render: async (request, onProgress) => (await import("@/worker/pdf/render")).renderPart(request, onProgress),
  inspect: async (request, onProgress) => (await import("@/worker/pdf/inspect")).inspectSource(request, onProgress),
  prepare: async (request, onProgress) => (await import("@/worker/pdf/prepare")).prepareSource(request, onProgress),
  "inspect-table": async (request, onProgress) =>
    (await import("@/worker/pdf/table")).inspectTable(request, onProgress),
  stamp: async (request, onProgress) => (await import("@/worker/pdf/watermark")).makeStamp(request, onProgress),
  assemble: async (request, onProgress) => (await import("@/worker/pdf/assemble")).assemblePacket(request, onProgress),
  verify: async (request, onProgress) => (await import("@/worker/pdf/verify")).readFinishedFile(request, onProgress),
};

/** What the first request of a pool will need is loaded before the child is lent. */
async function warm(): Promise<void> {
  if (process.env.RENDERER_POOL === "render") await import("@/worker/pdf/render");
  else await Promise.all([import("@/worker/pdf/inspect"), import("@/worker/pdf/prepare")]);
}

serve(OPERATIONS, warm);
