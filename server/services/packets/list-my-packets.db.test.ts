import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import type { TenantId, UserId } from "@/server/domain/ids";
import { addPerson, addSource, addTenant, openTestContext, type TestContext } from "../test-context";
import { archived, onboardingRequest, submitted } from "../test-requests";
import { listMyPackets } from "./list-my-packets";

const database = testDatabase();
let context: TestContext;
let coordinator: PersonActor & { tenantId: TenantId; reach: Reach };
let policy: string;

beforeAll(async () => {
  context = await openTestContext(database.url);
  coordinator = await addPerson(context, await addTenant(context));
  policy = await addSource(context, coordinator.tenantId, { title: "Travel policy" });
});
afterAll(() => context.close());

async function readerWith(email: string): Promise<PersonActor> {
  const [row] = await context.sql<{ id: UserId }>("SELECT id FROM users WHERE email = $1", [email]);
  if (row === undefined) throw new RangeError("There is nobody with this address.");
  return { ...coordinator, userId: row.id, reach: { role: "recipient", kinds: [], scopes: [] } };
}

describe("my packets", () => {
  it("are the finished ones addressed to me, by whatever employer, and nobody else's", async () => {
    const elsewhere = await addPerson(context, await addTenant(context, { name: "Meridian Freight" }));
    const other = await addSource(context, elsewhere.tenantId);
    const me = { email: "me@example.org", ref: "E-1" };
    await archived(context, coordinator, onboardingRequest([policy], me));
    context.clock.advance(1_000);
    await archived(context, elsewhere, onboardingRequest([other], me));
    await submitted(context, coordinator, onboardingRequest([policy], { ...me, ref: "E-2" }));
    await archived(context, coordinator, onboardingRequest([policy], { email: "you@example.org", ref: "E-3" }));
    const packets = await listMyPackets(context, await readerWith("me@example.org"));
    expect(packets.map((packet) => packet.from)).toEqual(["Meridian Freight", "Harbour & Lane"]);
    expect(packets[1]?.contents.map((part) => part.title)).toContain("Travel policy");
  });

  it("show the latest revision of a packet only, once it is finished", async () => {
    const me = { email: "twice@example.org", ref: "E-9" };
    const first = await archived(context, coordinator, onboardingRequest([policy], me));
    const changed = onboardingRequest([policy], { ...me, role: "Ferry captain" });
    const waiting = await submitted(context, coordinator, changed);
    const reader = await readerWith("twice@example.org");
    expect((await listMyPackets(context, reader)).map((packet) => packet.jobId)).toEqual([first.jobId]);
    await context.sql("UPDATE jobs SET state = 'cancelled' WHERE id = $1", [waiting]);
    const third = await archived(context, coordinator, onboardingRequest([policy], { ...me, role: "Pilot" }));
    expect((await listMyPackets(context, reader)).map((packet) => packet.jobId)).toEqual([third.jobId]);
  });

  it("are gone from the list once withdrawn, the earlier revision too", async () => {
    const me = { email: "gone@example.org", ref: "E-10" };
    await archived(context, coordinator, onboardingRequest([policy], me));
    const second = await archived(context, coordinator, onboardingRequest([policy], { ...me, role: "Pilot" }));
    const reader = await readerWith("gone@example.org");
    await context.sql("UPDATE packet_readers SET withdrawn = now() WHERE job_id = $1", [second.jobId]);
    expect(await listMyPackets(context, reader)).toEqual([]);
  });
});
