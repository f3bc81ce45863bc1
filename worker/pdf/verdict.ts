import { PacketFailure } from "@/server/domain/failure";
import type { InspectAnswer } from "@/worker/renderer/requests";

/** Turns a fault of the file itself into a verdict. Anything else is ours and goes on as an error. */
export async function asVerdict(judge: () => Promise<InspectAnswer>): Promise<InspectAnswer> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof PacketFailure) || !isSourceFault(error.code)) throw error;
    return { result: "reject", code: error.code, ...(error.page === undefined ? {} : { page: error.page }) };
  }
}

function isSourceFault(code: string): boolean {
  return code.startsWith("source_") || code === "missing_glyphs";
}
