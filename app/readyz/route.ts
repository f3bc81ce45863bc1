import { web } from "../_web/web";

export const dynamic = "force-dynamic";

/** Answers 200 while the database does and the queue is open, else 503. */
export async function GET(): Promise<Response> {
  const isReady = await web()
    .then(
      (services) => services.isReady().then(() => true),
      () => false,
    )
    .catch(() => false);
  const status = isReady ? "ready" : "not_ready";
  return Response.json({ status }, { status: isReady ? 200 : 503, headers: { "cache-control": "no-store" } });
}
