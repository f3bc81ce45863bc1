import type { Submitted } from "@/server/services/packets/submit-packet";

/** Returns what a program gets for an accepted packet: its id, and where to ask for it. [C61,C331] */
export function receiptOf(baseUrl: string, { jobId, replayed }: Submitted) {
  return { id: jobId, replayed, statusUrl: `${baseUrl}/api/v1/packets/${jobId}` };
}
