import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openClient } from "@/client/bindery-client";
import { fakeWaiting } from "@/client/test-server";
import { testDatabase } from "@/scripts/test-database";
import { PERMISSIONS, type PersonActor, type Reach } from "@/server/domain/access";
import type { TenantId } from "@/server/domain/ids";
import { createApiKey } from "@/server/services/tenants/create-api-key";
import { addPerson, addTenant, countRows, openTestContext, type TestContext } from "@/server/services/test-context";
import { monthlyRequest, newPacket } from "@/server/services/test-requests";
import { openLog } from "@/server/telemetry/log";
import { openMachineServer } from "./test-machine-server";

const database = testDatabase();
let context: TestContext;
let admin: PersonActor & { tenantId: TenantId; reach: Reach };
let apiKey: string;
/** What the network does to each request; reset for every test. */
let network: (method: string, answered: () => Promise<Response>) => Promise<Response | null>;
let server: Awaited<ReturnType<typeof openMachineServer>>;

beforeAll(async () => {
  context = await openTestContext(database.url);
  const web = {
    ...context,
    log: openLog("silent"),
    baseUrl: "https://bindery.example.org",
    isReady: async () => undefined,
  };
  Reflect.set(globalThis, Symbol.for("bindery.web"), Promise.resolve(web));
  server = await openMachineServer((method, answered) => network(method, answered));
});
afterAll(async () => {
  Reflect.deleteProperty(globalThis, Symbol.for("bindery.web"));
  await server.close();
  await context.close();
});
beforeEach(async () => {
  network = (_, answered) => answered();
  admin = await addPerson(context, await addTenant(context), { role: "admin" });
  const wanted = { name: "k", permissions: PERMISSIONS, kinds: [], scopes: [], expiresAt: null, correlationId: "c" };
  apiKey = (await createApiKey(context, admin, wanted)).secret;
});

function client() {
  return openClient({ baseUrl: server.baseUrl, apiKey, waiting: fakeWaiting() });
}

function submission(idempotencyKey = "op-1") {
  const { kind, payload } = newPacket();
  return { idempotencyKey, kind, payload };
}

async function jobsOf(): Promise<{ id: string; attempt: number }[]> {
  return context.sql("SELECT id, attempt FROM jobs WHERE tenant_id = $1", [admin.tenantId]);
}

describe("one operation", () => {
  it("whose answers are lost on the way, again and again, is one job, and the client learns its id [C32,C37]", async () => {
    let lost = 0;
    network = async (_, answered) => {
      const answer = await answered();
      if (lost === 4) return answer;
      lost += 1;
      return null;
    };
    const receipt = await client().submit(submission());
    expect(await jobsOf()).toEqual([{ id: receipt.id, attempt: 0 }]);
    expect(receipt.replayed).toBe(true);
  });

  it("that its client gives up after ninety seconds and submits again is still the one job, and costs no attempt [C32,C37]", async () => {
    const asked = submission();
    const ids: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const impatient = client();
      const { id } = await impatient.submit(asked);
      ids.push(id);
      await expect(impatient.waitFor(id)).rejects.toMatchObject({ reason: "deadline" });
    }
    expect(new Set(ids).size).toBe(1);
    expect(await jobsOf()).toEqual([{ id: ids[0], attempt: 0 }]);
    const [deliveries] = await context.sql("SELECT count(*)::int AS n FROM pgboss.job WHERE data ->> 'jobId' = $1", [
      ids[0],
    ]);
    expect(deliveries?.n).toBe(1);
  });

  it("of many clients at once is one job for all of them [C37]", async () => {
    const asked = submission();
    const receipts = await Promise.all(Array.from({ length: 24 }, () => client().submit(asked)));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    expect(receipts.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await jobsOf()).toHaveLength(1);
  });
});

describe("waiting", () => {
  it("writes nothing, whatever becomes of its readings: no job, no delivery, no attempt [C335,C361]", async () => {
    const { id } = await client().submit(submission());
    const before = await countRows(context);
    let readings = 0;
    network = async (_, answered) => {
      readings += 1;
      return readings % 3 === 0 ? null : answered();
    };
    await expect(client().waitFor(id)).rejects.toMatchObject({ code: "deadline" });
    expect(readings).toBeGreaterThan(8);
    expect(await countRows(context)).toEqual(before);
  });

  it("ends when the packet does, though it was cancelled by somebody else", async () => {
    const { id } = await client().submit(submission());
    await client().cancel(id);
    expect(await client().waitFor(id)).toMatchObject({ state: "failed", failure: { code: "cancelled" } });
  });
});

describe("what the service refuses", () => {
  it("reaches the caller with its code and where in the body it is", async () => {
    const { kind, payload } = monthlyRequest();
    const wrong = { idempotencyKey: "x", kind, payload: { ...Object(payload), period: "never" } };
    await expect(client().submit(wrong)).rejects.toMatchObject({
      reason: "refused",
      code: "payload_invalid",
      problem: { errors: expect.arrayContaining([expect.objectContaining({ pointer: "/payload/period" })]) },
    });
    const stranger = openClient({ baseUrl: server.baseUrl, apiKey: "bk_wrong", waiting: fakeWaiting() });
    await expect(stranger.submit(submission())).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("of a batch is said item by item, and a list goes through the rest", async () => {
    const items = [submission("a"), { ...submission("b"), kind: "no-such-kind" }, submission("c")];
    const results = await client().submitBatch(items);
    expect(results.map((result) => result.status)).toEqual(["accepted", "refused", "accepted"]);
    const found = [];
    for await (const packet of client().list({ state: "queued" })) found.push(packet.id);
    expect(found.toSorted()).toEqual((await jobsOf()).map(({ id }) => id).toSorted());
  });
});
