export const dynamic = "force-dynamic";

/** Answers while the process lives. */
export function GET(): Response {
  return Response.json({ status: "alive" }, { headers: { "cache-control": "no-store" } });
}
