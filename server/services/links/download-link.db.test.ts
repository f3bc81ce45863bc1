import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { signLink } from "@/server/domain/download-link";
import { type ArtifactId, digestOf, type JobId, newId, type TenantId, type UserId } from "@/server/domain/ids";
import { actingFor, addPerson, addSource, addTenant, openTestContext, type TestContext } from "../test-context";
import { archived, monthlyRequest, onboardingRequest } from "../test-requests";
import { issueDownloadLink } from "./issue-download-link";
import { redeemDownloadLink } from "./redeem-download-link";

const database = testDatabase();
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };
let packet: { jobId: JobId; artifactId: ArtifactId; bytes: Buffer };

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  actor = await addPerson(context, await addTenant(context));
  packet = await archived(context, actor, monthlyRequest());
});

async function issued(to: PersonActor = actor, jobId: JobId = packet.jobId): Promise<string> {
  const { path } = await issueDownloadLink(context, to, { jobId, correlationId: "cor-link" });
  return path.slice("/d/".length);
}

function redeem(token: string, by: PersonActor = actor, isFirstByte = true) {
  return redeemDownloadLink(context, by, { token, isFirstByte });
}

/** Submits a packet for somebody new, archives it, and returns it with them as they act once they have signed in. */
async function addressed(email: string): Promise<{ jobId: JobId; reader: PersonActor; userId: UserId }> {
  const policy = await addSource(context, actor.tenantId);
  const { jobId } = await archived(context, actor, onboardingRequest([policy], { email }));
  const [row] = await context.sql<{ id: UserId }>("SELECT id FROM users WHERE email = lower($1)", [email]);
  if (row === undefined) throw new RangeError("The recipient was not added.");
  const reach: Reach = { role: "recipient", kinds: [], scopes: [] };
  return { jobId, reader: { ...actingFor(actor, actor.tenantId, reach), userId: row.id }, userId: row.id };
}

describe("a link", () => {
  it("is issued to somebody entitled, for minutes, audited with requester, packet and expiry [C364,C365,C367]", async () => {
    const answer = await issueDownloadLink(context, actor, { jobId: packet.jobId, correlationId: "cor-link" });
    const expiresAt = new Date(context.clock.now().getTime() + context.linkMsMax);
    expect(answer).toEqual({ path: expect.stringMatching(/^\/d\/[\w-]+\.[\w-]+$/), expiresAt });
    const [link] = await context.sql("SELECT * FROM download_links WHERE artifact_id = $1", [packet.artifactId]);
    expect(link).toMatchObject({ user_id: actor.userId, expires_at: expiresAt, revoked_at: null });
    const [event] = await context.sql("SELECT * FROM audit_events WHERE subject_id = $1", [packet.artifactId]);
    expect(event).toMatchObject({
      action: "link.issued",
      actor_id: actor.userId,
      tenant_id: actor.tenantId,
      correlation_id: "cor-link",
      facts: { job: packet.jobId, link: link?.id, expiresAt: expiresAt.toISOString() },
    });
  });

  it("is a secret that no row holds", async () => {
    const token = await issued();
    for (const table of ["download_links", "audit_events"]) {
      const [found] = await context.sql<{ text: string }>(`SELECT string_agg(t::text, ' ') AS text FROM ${table} t`);
      expect(found?.text).not.toContain(token);
      expect(found?.text).not.toContain(token.split(".")[1]);
    }
  });

  it("opens exactly the archived bytes, as often as a viewer asks [C364,C371]", async () => {
    const token = await issued();
    for (const isFirstByte of [true, false, false]) {
      const opened = await redeem(token, actor, isFirstByte);
      expect(opened).toMatchObject({ bytes: packet.bytes.length, mediaType: "application/pdf" });
      const stream = await context.archive.open(opened.archiveKey);
      const bytes = Buffer.from(await new Response(stream).arrayBuffer());
      expect(digestOf(bytes)).toBe(opened.digest);
      expect(bytes).toEqual(packet.bytes);
    }
  });

  it("leaves one event per download, with the correlation id of the request that made the packet [C367,C369,C400]", async () => {
    const token = await issued();
    await redeem(token);
    await redeem(token, actor, false);
    await redeem(token);
    const events = await context.sql(
      "SELECT actor_id, correlation_id, facts FROM audit_events WHERE action = 'artifact.downloaded' AND subject_id = $1",
      [packet.artifactId],
    );
    expect(events).toHaveLength(2);
    const [job] = await context.sql("SELECT correlation_id FROM jobs WHERE id = $1", [packet.jobId]);
    expect(events[0]).toMatchObject({
      actor_id: actor.userId,
      correlation_id: job?.correlation_id,
      facts: { job: packet.jobId, bytes: packet.bytes.length },
    });
    expect(job?.correlation_id).toBe("cor-monthly");
  });
});

describe("no link is issued", () => {
  it("for a packet that is not archived yet, or not theirs [C365,C366]", async () => {
    const other = await addPerson(context, await addTenant(context));
    await expect(issued(other)).rejects.toMatchObject({ code: "not_found" });
    await expect(issued(actor, newId("job"))).rejects.toMatchObject({ code: "not_found" });
    expect(await context.sql("SELECT 1 FROM download_links WHERE artifact_id = $1", [packet.artifactId])).toEqual([]);
  });

  it("for bytes that were disposed of", async () => {
    await context.sql("UPDATE artifacts SET erased_at = now() WHERE id = $1", [packet.artifactId]);
    await expect(issued()).rejects.toMatchObject({ code: "artifact_disposed" });
  });
});

describe("a link does not open", () => {
  it("for anybody else, an admin of the same tenant included [C366]", async () => {
    const token = await issued();
    const admin = await addPerson(context, actor.tenantId, { role: "admin" });
    const stranger = await addPerson(context, await addTenant(context));
    for (const by of [admin, stranger]) await expect(redeem(token, by)).rejects.toMatchObject({ code: "link_invalid" });
  });

  it("once it was revoked", async () => {
    const token = await issued();
    await context.sql("UPDATE download_links SET revoked_at = now() WHERE artifact_id = $1", [packet.artifactId]);
    await expect(redeem(token)).rejects.toMatchObject({ code: "link_expired" });
  });

  it("once its minutes and the clocks' tolerance are over [C364]", async () => {
    const own = await openTestContext(database.url);
    try {
      const { path } = await issueDownloadLink(own, actor, { jobId: packet.jobId, correlationId: "c" });
      const request = { token: path.slice("/d/".length), isFirstByte: true };
      own.clock.advance(own.linkMsMax + 60_000 - 1);
      await redeemDownloadLink(own, actor, request);
      own.clock.advance(1);
      await expect(redeemDownloadLink(own, actor, request)).rejects.toMatchObject({ code: "link_expired" });
    } finally {
      await own.close();
    }
  });

  it("with any character of it changed, or signed with another key", async () => {
    const token = await issued();
    const changed = Array.from({ length: 12 }, (_, index) => {
      const at = Math.floor((index * token.length) / 12);
      return token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    });
    const claims = {
      linkId: newId("link"),
      artifactId: packet.artifactId,
      userId: actor.userId,
      purpose: "download" as const,
      expiresAt: new Date(context.clock.now().getTime() + 60_000),
    };
    const forged = signLink(claims, [["k1", "some other secret that is long enough too"]]);
    for (const bad of [...changed, forged, "", ".", `${token}.x`, "\u0000", token.repeat(50)]) {
      await expect(redeem(bad), bad).rejects.toMatchObject({ code: "link_invalid" });
    }
  });

  it("where it names a link that was never issued, or another artifact than that link", async () => {
    await issued();
    const [link] = await context.sql<{ id: ReturnType<typeof newId<"link">> }>("SELECT id FROM download_links LIMIT 1");
    const expiresAt = new Date(context.clock.now().getTime() + 60_000);
    const claims = { userId: actor.userId, purpose: "download" as const, expiresAt };
    const unissued = signLink({ ...claims, linkId: newId("link"), artifactId: packet.artifactId }, context.linkKeys);
    const swapped = signLink(
      { ...claims, linkId: link?.id ?? newId("link"), artifactId: newId("artifact") },
      context.linkKeys,
    );
    for (const token of [unissued, swapped])
      await expect(redeem(token)).rejects.toMatchObject({ code: "link_invalid" });
  });

  it("once the person has lost their place in the tenant [C366]", async () => {
    const token = await issued();
    for (const reach of [null, { role: "recipient" as const, kinds: [], scopes: [] }]) {
      const without = actingFor(actor, reach === null ? null : actor.tenantId, reach);
      await expect(redeem(token, without)).rejects.toMatchObject({ code: "link_invalid" });
    }
    const narrowed = actingFor(actor, actor.tenantId, { role: "viewer", kinds: ["board-book"], scopes: [] });
    await expect(redeem(token, narrowed)).rejects.toMatchObject({ code: "link_invalid" });
  });

  it("once the bytes were disposed of", async () => {
    const token = await issued();
    await context.sql("UPDATE artifacts SET erased_at = now() WHERE id = $1", [packet.artifactId]);
    await expect(redeem(token)).rejects.toMatchObject({ code: "artifact_disposed" });
  });
});

describe("the person a packet is addressed to", () => {
  it("downloads it whatever letters their address was typed in", async () => {
    const { jobId, reader } = await addressed("Mixed.Case@Example.org");
    expect(await redeem(await issued(reader, jobId), reader)).toMatchObject({ mediaType: "application/pdf" });
  });

  it("gets no other packet of the tenant", async () => {
    const { reader } = await addressed("first@example.org");
    const { jobId } = await addressed("second@example.org");
    await expect(issued(reader, jobId)).rejects.toMatchObject({ code: "not_found" });
    await expect(issued(reader)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is refused, with live links too, once it was withdrawn", async () => {
    const { jobId, reader, userId } = await addressed("withdrawn@example.org");
    const token = await issued(reader, jobId);
    await context.sql("UPDATE packet_readers SET withdrawn = now() WHERE user_id = $1", [userId]);
    await expect(redeem(token, reader)).rejects.toMatchObject({ code: "link_invalid" });
    await expect(issued(reader, jobId)).rejects.toMatchObject({ code: "not_found" });
  });
});
