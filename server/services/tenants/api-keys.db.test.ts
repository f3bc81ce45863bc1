import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { PERMISSIONS, type PersonActor, type Reach } from "@/server/domain/access";
import type { ApiKeyId, TenantId } from "@/server/domain/ids";
import { addPerson, addTenant, countRows, openTestContext, type TestContext } from "../test-context";
import { authenticateApiKey } from "./authenticate-api-key";
import { createApiKey, LIVE_KEYS_MAX, type NewApiKey } from "./create-api-key";
import { listApiKeys } from "./list-api-keys";
import { revokeApiKey } from "./revoke-api-key";

const database = testDatabase();
let context: TestContext;
let admin: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  admin = await addPerson(context, await addTenant(context), { role: "admin" });
});

function wanted(changes: Partial<NewApiKey> = {}): NewApiKey {
  const all = { kinds: [], scopes: [], expiresAt: null, correlationId: "cor-key" };
  return { name: "Payroll import", permissions: PERMISSIONS, ...all, ...changes };
}

const unauthenticated = { code: "unauthenticated" };
const revoke = (keyId: ApiKeyId, by = admin) => revokeApiKey(context, by, { keyId, correlationId: "cor-end" });
const xminOf = async (keyId: string) =>
  (await context.sql("SELECT xmin::text FROM api_keys WHERE id = $1", [keyId]))[0];

describe("a new key", () => {
  it("acts for its tenant; its secret is in no row, not even of the audit trail", async () => {
    const { keyId, secret } = await createApiKey(context, admin, wanted());
    expect(await authenticateApiKey(context, secret)).toMatchObject({
      type: "machine",
      keyId,
      tenantId: admin.tenantId,
    });
    for (const table of ["api_keys", "audit_events"]) {
      const [all] = await context.sql<{ text: string }>(`SELECT string_agg(t::text, ' ') AS text FROM ${table} t`);
      expect(all?.text, table).not.toContain(secret.slice(3, -4));
    }
  });

  it("and its end are on record: who, which, when", async () => {
    const { keyId } = await createApiKey(context, admin, wanted());
    await revoke(keyId);
    const events = await context.sql(
      "SELECT action, actor_id, correlation_id FROM audit_events WHERE subject_id = $1 ORDER BY id",
      [keyId],
    );
    expect(events).toEqual([
      { action: "api_key.created", actor_id: admin.userId, correlation_id: "cor-key" },
      { action: "api_key.revoked", actor_id: admin.userId, correlation_id: "cor-end" },
    ]);
  });

  it.each([
    ["name", { name: "  " }],
    ["name", { name: "a\nb" }],
    ["permissions", { permissions: [] }],
    ["kinds", { kinds: ["tax-return"] }],
    ["expiresAt", { expiresAt: new Date("2026-12-01T09:00:00Z") }],
  ])("whose %s cannot be is refused there, and is not made", async (field, change) => {
    const before = await countRows(context);
    await expect(createApiKey(context, admin, wanted(change))).rejects.toMatchObject({
      code: "payload_invalid",
      findings: [expect.objectContaining({ path: [field] })],
    });
    expect(await countRows(context)).toEqual(before);
  });

  it("never reaches further than its maker: all that they reach, or part of it", async () => {
    const narrow = await addPerson(context, admin.tenantId, { role: "admin", scopes: ["S-1", "S-2"] });
    const { secret } = await createApiKey(context, narrow, wanted());
    expect((await authenticateApiKey(context, secret)).reach.scopes).toEqual(["S-1", "S-2"]);
    const part = await createApiKey(context, narrow, wanted({ scopes: ["S-2"] }));
    expect((await authenticateApiKey(context, part.secret)).reach.scopes).toEqual(["S-2"]);
    await expect(createApiKey(context, narrow, wanted({ scopes: ["S-2", "S-3"] }))).rejects.toMatchObject({
      code: "payload_invalid",
    });
  });

  it("beyond the last is refused, also when many are asked for at once; one that ended makes room", async () => {
    const asked = Array.from({ length: LIVE_KEYS_MAX + 5 }, () => createApiKey(context, admin, wanted()));
    const made = (await Promise.allSettled(asked)).flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(made).toHaveLength(LIVE_KEYS_MAX);
    await revoke(made[0]?.keyId ?? expect.fail());
    await createApiKey(context, admin, wanted());
  });
});

describe("only an admin", () => {
  it.each(["coordinator", "viewer", "recipient"] as const)("and no %s, makes, sees or ends keys", async (role) => {
    const { keyId, secret } = await createApiKey(context, admin, wanted());
    const other = await addPerson(context, admin.tenantId, { role });
    const before = await countRows(context);
    for (const act of [createApiKey(context, other, wanted()), listApiKeys(context, other), revoke(keyId, other)])
      await expect(act).rejects.toMatchObject({ code: "not_found" });
    expect(await countRows(context)).toEqual(before);
    await authenticateApiKey(context, secret);
  });

  it("of the key's own tenant: another's changes nothing, and sees nothing", async () => {
    const { keyId, secret } = await createApiKey(context, admin, wanted());
    const neighbour = await addPerson(context, await addTenant(context), { role: "admin" });
    expect(await revoke(keyId, neighbour)).toEqual({ revoked: false });
    expect(await listApiKeys(context, neighbour)).toEqual([]);
    await authenticateApiKey(context, secret);
  });
});

describe("the end of a key", () => {
  it("is at once, and asking for it again is no fault", async () => {
    const { keyId, secret } = await createApiKey(context, admin, wanted());
    await authenticateApiKey(context, secret);
    expect(await revoke(keyId)).toEqual({ revoked: true });
    await expect(authenticateApiKey(context, secret)).rejects.toMatchObject(unauthenticated);
    expect(await revoke(keyId)).toEqual({ revoked: false });
    expect(await listApiKeys(context, admin)).toMatchObject([{ keyId, state: "revoked", tail: secret.slice(-4) }]);
  });

  it("comes by itself with its day", async () => {
    const expiresAt = new Date(context.clock.now().getTime() + 60_000);
    const { secret } = await createApiKey(context, admin, wanted({ expiresAt }));
    context.clock.advance(59_999);
    await authenticateApiKey(context, secret);
    context.clock.advance(1);
    await expect(authenticateApiKey(context, secret)).rejects.toMatchObject(unauthenticated);
    expect(await listApiKeys(context, admin)).toMatchObject([{ state: "expired" }]);
  });
});

describe("the last use of a key", () => {
  it("is noted once a minute at most: other readings write nothing", async () => {
    const { keyId, secret } = await createApiKey(context, admin, wanted());
    await authenticateApiKey(context, secret);
    const noted = context.clock.now();
    const row = await xminOf(keyId);
    context.clock.advance(59_000);
    await authenticateApiKey(context, secret);
    expect(await xminOf(keyId)).toEqual(row);
    expect(await listApiKeys(context, admin)).toMatchObject([{ lastUsedAt: noted }]);
    context.clock.advance(1_000);
    await authenticateApiKey(context, secret);
    expect(await listApiKeys(context, admin)).toMatchObject([{ lastUsedAt: context.clock.now() }]);
  });

  it("keeps no request waiting, whoever holds its row", async () => {
    const { keyId, secret } = await createApiKey(context, admin, wanted());
    const actor = await context.db.transact(admin, async (tx) => {
      await tx.$queryRaw`SELECT id FROM api_keys WHERE id = ${keyId} FOR UPDATE`;
      return authenticateApiKey(context, secret);
    });
    expect(actor.keyId).toBe(keyId);
    expect(await listApiKeys(context, admin)).toMatchObject([{ lastUsedAt: null }]);
  });
});
