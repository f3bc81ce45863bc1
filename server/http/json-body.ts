import type { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";

/**
 * Reads a JSON body of at most `bytesMax` bytes and returns it parsed by `schema`. Counted while it arrives: what is too large is not read
 * to its end. Throws `media_type_unsupported`, `body_too_large` or `invalid_request`, the last with what is wrong and where. [C81]
 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  bytesMax: number,
): Promise<z.output<Schema>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new PacketFailure("media_type_unsupported");
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > bytesMax) throw new PacketFailure("body_too_large");
  return parseBody(schema, jsonOf(await textOf(request, bytesMax)));
}

/** Returns the body parsed by `schema`. Throws `invalid_request` with what is wrong and where. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new PacketFailure("invalid_request", {
    findings: parsed.error.issues.slice(0, 50).map((issue) => ({
      path: issue.path.map((step) => (typeof step === "number" ? step : String(step))),
      code: "field_invalid",
      message: issue.message,
    })),
  });
}

async function textOf(request: Request, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const texts: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new PacketFailure("body_too_large");
      texts.push(decoder.decode(chunk, { stream: true }));
    }
    return texts.join("") + decoder.decode();
  } catch (error) {
    if (error instanceof PacketFailure) throw error;
    // Not UTF-8, or cut short: either way there is no request to answer.
    throw new PacketFailure("invalid_request");
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PacketFailure("invalid_request");
  }
}
