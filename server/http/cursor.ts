import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import { parseId } from "@/server/domain/ids";

/** The last row of a page: the next page begins behind it, whatever was added before it meanwhile. */
export interface Cursor {
  readonly acceptedAt: Date;
  readonly jobId: string;
}

const Encoded = z.tuple([z.iso.datetime(), z.string()]);

/** Returns the cursor as callers carry it. Opaque to them. */
export function formatCursor({ acceptedAt, jobId }: Cursor): string {
  return Buffer.from(JSON.stringify([acceptedAt.toISOString(), jobId])).toString("base64url");
}

/** Returns the cursor that a caller sent back. Throws `invalid_request` for anything we did not give out. */
export function parseCursor(text: string): Cursor {
  const parsed = Encoded.safeParse(jsonOf(Buffer.from(text.slice(0, 300), "base64url").toString("utf8")));
  const jobId = parsed.success ? parseId("job", parsed.data[1]) : null;
  if (!parsed.success || jobId === null) throw new PacketFailure("invalid_request");
  return { acceptedAt: new Date(parsed.data[0]), jobId };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
