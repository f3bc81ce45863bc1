import { resolve } from "node:path";
import { FAILURES, PacketFailure, refusalCode } from "@/server/domain/failure";
import type { TenantId } from "@/server/domain/ids";
import { withRenderers } from "../local-renderers";
import type { AnswerOf } from "../renderer/requests";
import { SOURCE_LIMITS } from "../source-limits";

// npm run inspect -- FILE: what Bindery would say of that file as a source, as one line of JSON.

const INSPECTION_MS_MAX = 10_000;
const BYTES_MAX = 100 * 1024 * 1024;

const file = process.argv[2];
if (file === undefined || process.argv.length > 3) {
  console.error("Usage: npm run inspect -- FILE");
  process.exit(2);
}
console.log(JSON.stringify(verdict(await inspect(resolve(file)))));

async function inspect(path: string): Promise<AnswerOf<"inspect">> {
  try {
    return await withRenderers((renderers) =>
      renderers.ask(
        "inspect",
        { op: "inspect", path, limits: { ...SOURCE_LIMITS, bytesMax: BYTES_MAX }, strict: false },
        {
          tenantId: "ten_00000000000000000000000000000000" as TenantId,
          deadlineMs: INSPECTION_MS_MAX,
          signal: new AbortController().signal,
          onProgress: () => undefined,
        },
      ),
    );
  } catch (error) {
    const isFilesFault = error instanceof PacketFailure && error.code.startsWith("source_");
    if (!isFilesFault) throw error;
    return { result: "reject", code: error.code };
  }
}

function verdict(answer: AnswerOf<"inspect">) {
  if (answer.result === "accept") {
    const { result, pages, type, disclosures } = answer;
    return { result, pages, type, disclosures };
  }
  const code = refusalCode(answer.code);
  const page = answer.page === undefined ? {} : { page: answer.page };
  return { result: "reject", code, message: FAILURES[code].publicMessage, ...page };
}
