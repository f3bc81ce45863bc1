import { readdirSync, readFileSync } from "node:fs";
import { type APIRequestContext, expect } from "@playwright/test";
import type { PacketRequest } from "./payloads";
import type { MadeFile } from "./test-files";

const ROUTERS = "server/api/routers";

/** Every procedure that our pages can call, `router.name` to what it is, as the routers declare them. */
export function declaredProcedures(): ReadonlyMap<string, "query" | "mutation"> {
  const found = new Map<string, "query" | "mutation">();
  for (const file of readdirSync(ROUTERS)) {
    const text = readFileSync(`${ROUTERS}/${file}`, "utf8");
    for (const [, name, rest = ""] of text.matchAll(
      /^ {2}(\w+): (?:publicP|p)rocedure([\s\S]*?)(?=^ {2}\w+: |^\}\);)/gm,
    ))
      found.set(`${file.replace(".ts", "")}.${name}`, rest.includes(".mutation(") ? "mutation" : "query");
  }
  return found;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls a procedure as our pages do. */
export async function call(asker: APIRequestContext, procedure: string, input?: unknown): Promise<Answer> {
  const path = `/api/trpc/${procedure}`;
  const answer =
    declaredProcedures().get(procedure) === "mutation"
      ? await asker.post(path, { data: { json: input ?? null }, headers: { "sec-fetch-site": "same-origin" } })
      : await asker.get(`${path}?input=${encodeURIComponent(JSON.stringify({ json: input ?? null }))}`);
  return { status: answer.status(), body: await answer.json() };
}

/** As `call`, for a procedure that must answer. */
export async function ask(
  asker: APIRequestContext,
  procedure: string,
  input?: unknown,
): Promise<Record<string, unknown>> {
  const { status, body } = await call(asker, procedure, input);
  expect(status, procedure).toBe(200);
  return Object(body).result.data.json;
}

/** Submits and returns the packet's id. */
export async function submitted(asker: APIRequestContext, request: PacketRequest): Promise<string> {
  return String((await ask(asker, "packets.submit", request)).jobId);
}

/** Submits and waits until the packet is archived. */
export async function archived(asker: APIRequestContext, request: PacketRequest): Promise<string> {
  const jobId = await submitted(asker, request);
  const state = async () => (await ask(asker, "packets.read", { jobId })).state;
  await expect.poll(state, { timeout: 30_000 }).toBe("succeeded");
  return jobId;
}

/** Asks for a preview and waits until it is made. */
export async function previewed(asker: APIRequestContext, request: PacketRequest): Promise<string> {
  const { jobId } = await ask(asker, "packets.preview", request);
  const state = async () => (await ask(asker, "packets.readPreview", { jobId })).state;
  await expect.poll(state, { timeout: 30_000 }).toBe("succeeded");
  return String(jobId);
}

/** Uploads a file and waits for its verdict, which it returns with the source's id. */
export async function uploaded(asker: APIRequestContext, file: MadeFile, purpose = "pages") {
  const answer = await asker.post("/api/uploads", {
    data: file.buffer,
    headers: {
      "content-type": "application/octet-stream",
      "sec-fetch-site": "same-origin",
      "x-bindery-title": encodeURIComponent(file.name),
      "x-bindery-purpose": purpose,
    },
  });
  expect(answer.status(), file.name).toBe(201);
  const sourceId = String((await answer.json()).sourceId);
  const state = async () => Object(await ask(asker, "sources.read", { sourceIds: [sourceId] }))[0].state;
  await expect.poll(state, { timeout: 30_000 }).not.toBe("inspecting");
  return { sourceId, state: String(await state()) };
}

/** Asks for a download link as the button does, and returns the path it leads to; null where there is none. */
export async function linkPath(asker: APIRequestContext, jobId: string): Promise<string | null> {
  const headers = { "sec-fetch-site": "same-origin" };
  const answer = await asker.post(`/packets/${jobId}/download`, { headers, maxRedirects: 0 });
  return answer.status() === 303 ? (answer.headers().location ?? null) : null;
}
