import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { type JobId, newId, type SourceId, type TenantId } from "@/server/domain/ids";
import { switchTenant } from "./accounts/read-session";
import { issueDownloadLink } from "./links/issue-download-link";
import { cancelPacket } from "./packets/cancel-packet";
import { listHistory } from "./packets/list-history";
import { previewPacket } from "./packets/preview-packet";
import { readPacket } from "./packets/read-packet";
import { readPayload } from "./packets/read-payload";
import { openPreview, readPreview } from "./packets/read-preview";
import { submitPacket } from "./packets/submit-packet";
import { readSources } from "./sources/read-sources";
import { addPerson, addSource, addTenant, countRows, openTestContext, type TestContext } from "./test-context";
import { archived, bookRequest, monthlyRequest, submitted } from "./test-requests";

const database = testDatabase();
let context: TestContext;
let theirs: { archivedJob: JobId; queuedJob: JobId; previewJob: JobId; sourceId: SourceId; tenantId: TenantId };
type Member = PersonActor & { tenantId: TenantId; reach: Reach };
let neighbour: Member;

beforeAll(async () => {
  context = await openTestContext(database.url);
  const owner = await addPerson(context, await addTenant(context));
  theirs = {
    archivedJob: (await archived(context, owner, monthlyRequest())).jobId,
    queuedJob: await submitted(context, owner, monthlyRequest({ school: { ref: "S-2", name: "Väst" } })),
    previewJob: (await previewPacket(context, owner, monthlyRequest())).jobId,
    sourceId: await addSource(context, owner.tenantId),
    tenantId: owner.tenantId,
  };
  neighbour = await addPerson(context, await addTenant(context), { role: "admin" });
});
afterAll(() => context.close());

/** Every service that takes an id, as it is called with it. */
const CALLS: Readonly<Record<string, (actor: Member, id: typeof theirs) => Promise<unknown>>> = {
  "reading an archived packet": (actor, { archivedJob }) => readPacket(context, actor, archivedJob),
  "reading a waiting packet": (actor, { queuedJob }) => readPacket(context, actor, queuedJob),
  "reading its history": (actor, { archivedJob }) => listHistory(context, actor, archivedJob),
  "reading what was submitted": (actor, { queuedJob }) => readPayload(context, actor, queuedJob),
  "cancelling a waiting packet": (actor, { queuedJob }) => cancelPacket(context, actor, queuedJob),
  "cancelling an archived packet": (actor, { archivedJob }) => cancelPacket(context, actor, archivedJob),
  "reading a preview": (actor, { previewJob }) => readPreview(context, actor, previewJob),
  "opening a preview": (actor, { previewJob }) => openPreview(context, actor, previewJob),
  "asking for a link": (actor, { archivedJob }) =>
    issueDownloadLink(context, actor, { jobId: archivedJob, correlationId: "c" }),
  "reading sources": (actor, { sourceId }) => readSources(context, actor, [sourceId]),
  "binding a source": (actor, { sourceId }) => submitPacket(context, actor, bookRequest([sourceId])),
  "previewing a source": (actor, { sourceId }) => previewPacket(context, actor, bookRequest([sourceId])),
  "switching to a tenant": (actor, { tenantId }) => switchTenant(context, actor, tenantId),
};

async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PacketFailure)) throw error;
    return { code: error.code, findings: error.findings, position: error.position, detail: error.detail };
  }
}

function unknownIds(): typeof theirs {
  return {
    archivedJob: newId("job"),
    queuedJob: newId("job"),
    previewJob: newId("job"),
    sourceId: newId("source"),
    tenantId: newId("tenant"),
  };
}

describe("another tenant's id answers exactly like one that nothing has", () => {
  it.each(Object.entries(CALLS))("when %s [C8]", async (_, call) => {
    const before = await countRows(context);
    const foreign = await outcomeOf(() => call(neighbour, theirs));
    expect(foreign).toEqual(await outcomeOf(() => call(neighbour, unknownIds())));
    expect(JSON.stringify(foreign)).not.toMatch(/accepted|queued|succeeded/);
    expect(await countRows(context)).toEqual(before);
  });
});

describe("for a member of the same tenant with another reach it answers like one that nothing has", () => {
  const BY_REACH = Object.entries(CALLS).filter(([name]) => name.includes("packet") || name.includes("link"));

  it.each(BY_REACH)("when %s [C362]", async (_, call) => {
    for (const reach of [{ scopes: ["S-999"] }, { kinds: ["board-book"] }, { role: "recipient" as const }]) {
      const member = await addPerson(context, theirs.tenantId, { role: "admin", ...reach });
      expect(await outcomeOf(() => call(member, theirs))).toMatchObject({ code: "not_found" });
    }
  });

  it("a viewer reads and downloads, but cancels nothing", async () => {
    const viewer = await addPerson(context, theirs.tenantId, { role: "viewer" });
    await readPacket(context, viewer, theirs.archivedJob);
    await issueDownloadLink(context, viewer, { jobId: theirs.archivedJob, correlationId: "c" });
    await expect(cancelPacket(context, viewer, theirs.queuedJob)).rejects.toMatchObject({ code: "not_found" });
    await expect(readPayload(context, viewer, theirs.queuedJob)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("somebody who acts for no tenant", () => {
  it.each(Object.entries(CALLS))("finds nothing when %s", async (_, call) => {
    const nobody = { ...neighbour, tenantId: null, reach: null } as unknown as Member;
    expect(await outcomeOf(() => call(nobody, theirs))).toMatchObject({ code: "not_found" });
  });
});

describe("an operator", () => {
  it.each(Object.entries(CALLS))("sees no content: finds nothing when %s", async (_, call) => {
    const operator = { ...neighbour, tenantId: null, reach: null, isOperator: true } as unknown as Member;
    expect(await outcomeOf(() => call(operator, theirs))).toMatchObject({ code: "not_found" });
  });
});
