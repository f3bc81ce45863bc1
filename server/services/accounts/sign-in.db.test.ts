import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { newId } from "@/server/domain/ids";
import { addPerson, addTenant, openTestContext, type TestContext } from "../test-context";
import { hashPassword } from "./password";
import { readSession, signOut, switchTenant } from "./read-session";
import { SESSION_MS, signIn } from "./sign-in";

const database = testDatabase();
const PASSWORD = "correct horse battery";
let context: TestContext;
let passwordHash: string;
let email: string;
let person: Awaited<ReturnType<typeof addPerson>>;

beforeAll(async () => {
  context = await openTestContext(database.url);
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => context.close());
beforeEach(async () => {
  email = `${newId("user")}@example.org`;
  person = await addPerson(context, await addTenant(context), { email, passwordHash });
});

const tryWith = (password: string, address = email) =>
  signIn(context, { email: address, password, correlationId: "cor-sign-in" });

async function signedIn() {
  const session = await tryWith(PASSWORD);
  if (session === null) throw new RangeError("The password was not accepted.");
  return session;
}

async function liveSession(sessionId: Parameters<typeof readSession>[1]) {
  const session = await readSession(context, sessionId);
  if (session === null) throw new RangeError("There is no such session.");
  return session;
}

describe("signing in", () => {
  it("opens a session for the right password, audited, and the address may be typed in any letters", async () => {
    for (const typed of [email, email.toUpperCase(), `  ${email} `]) {
      const session = await tryWith(PASSWORD, typed);
      expect(session).toMatchObject({ userId: person.userId });
      const events = await context.sql("SELECT action FROM audit_events WHERE subject_id = $1", [session?.sessionId]);
      expect(events).toEqual([{ action: "session.opened" }]);
    }
  });

  it("gives nothing for a wrong password, an unknown address, a person without password or a disabled one, all alike", async () => {
    const without = await addPerson(context, person.tenantId, { email: `x${email}` });
    await context.sql("UPDATE users SET disabled_at = now() WHERE id = $1", [person.userId]);
    expect(await tryWith(PASSWORD)).toBeNull();
    await context.sql("UPDATE users SET disabled_at = NULL WHERE id = $1", [person.userId]);
    expect(await tryWith("wrong")).toBeNull();
    expect(await tryWith("wrong", "nobody@example.org")).toBeNull();
    expect(await tryWith("wrong", `x${email}`)).toBeNull();
    expect(await tryWith("nobody has this password", "nobody@example.org")).toBeNull();
    expect(await tryWith("nobody has this password", `x${email}`)).toBeNull();
    expect(
      await context.sql("SELECT 1 FROM sessions WHERE user_id = ANY($1)", [[person.userId, without.userId]]),
    ).toEqual([]);
  });

  it("stores neither password nor address of a failure", async () => {
    await tryWith("canary-password", "canary@example.org");
    const rows = await context.sql<{ text: string }>("SELECT f::text AS text FROM sign_in_failures f");
    for (const row of rows) expect(row.text).not.toContain("canary");
  });

  it("takes any text for an address or a password", async () => {
    for (const text of ["a\u0000b", "\ud800", "", "x".repeat(10_000), "'; DROP TABLE users; --"]) {
      expect(await tryWith("wrong", text)).toBeNull();
      expect(await tryWith(text, email)).toBeNull();
      await context.sql("DELETE FROM sign_in_failures");
    }
  });
});

describe("signing in too often with the wrong password", () => {
  it("is refused for that address from the ninth try on, the right password included, and for no other", async () => {
    const other = `other-${email}`;
    await addPerson(context, person.tenantId, { email: other, passwordHash });
    for (let index = 0; index < 8; index += 1) expect(await tryWith("wrong")).toBeNull();
    const refusal = { code: "too_many_attempts", retryAfterSeconds: 600 };
    await expect(tryWith("wrong")).rejects.toMatchObject(refusal);
    await expect(tryWith(PASSWORD)).rejects.toMatchObject(refusal);
    await expect(tryWith(PASSWORD, email.toUpperCase())).rejects.toMatchObject(refusal);
    expect(await tryWith(PASSWORD, other)).not.toBeNull();
  });

  it("is refused alike for an address that nobody has", async () => {
    for (let index = 0; index < 8; index += 1) await tryWith("wrong", "ghost@example.org");
    await expect(tryWith("wrong", "ghost@example.org")).rejects.toMatchObject({ code: "too_many_attempts" });
  });

  it("is allowed again after ten minutes, and a success forgets the failures", async () => {
    const own = await openTestContext(database.url);
    try {
      const at = (password: string) => signIn(own, { email, password, correlationId: "c" });
      for (let index = 0; index < 8; index += 1) await at("wrong");
      own.clock.advance(10 * 60_000);
      await expect(at(PASSWORD)).rejects.toMatchObject({ code: "too_many_attempts" });
      own.clock.advance(1);
      expect(await at(PASSWORD)).not.toBeNull();
      for (let index = 0; index < 7; index += 1) await at("wrong");
      expect(await at(PASSWORD)).not.toBeNull();
    } finally {
      await own.close();
    }
  });

  it("gives no more than eight guesses to forty at once", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => tryWith("wrong")));
    const checked = answers.filter((answer) => answer.status === "fulfilled");
    expect(checked).toHaveLength(8);
  });
});

describe("a session", () => {
  it("says who they are now: role, reach and tenants are looked up each time", async () => {
    const { sessionId } = await signedIn();
    expect(await liveSession(sessionId)).toMatchObject({
      actor: { userId: person.userId, tenantId: person.tenantId, reach: { role: "coordinator" }, isOperator: false },
    });
    await context.sql("UPDATE memberships SET role = 'viewer', kinds = '{board-book}' WHERE user_id = $1", [
      person.userId,
    ]);
    expect((await liveSession(sessionId)).actor.reach).toEqual({ role: "viewer", kinds: ["board-book"], scopes: [] });
    expect((await liveSession(sessionId)).view.tenant?.kinds).toEqual(["board-book"]);
  });

  it("ends at once when signed out of, revoked, or when its person is disabled", async () => {
    const [first, second, third] = [await signedIn(), await signedIn(), await signedIn()];
    await signOut(context, (await liveSession(first.sessionId)).actor);
    await context.sql("UPDATE sessions SET revoked_at = now() WHERE id = $1", [second.sessionId]);
    expect(await readSession(context, first.sessionId)).toBeNull();
    expect(await readSession(context, second.sessionId)).toBeNull();
    expect(await readSession(context, third.sessionId)).not.toBeNull();
    await context.sql("UPDATE users SET disabled_at = now() WHERE id = $1", [person.userId]);
    expect(await readSession(context, third.sessionId)).toBeNull();
  });

  it("ends after its time, and an unknown one is none", async () => {
    const own = await openTestContext(database.url);
    try {
      const session = await signIn(own, { email, password: PASSWORD, correlationId: "c" });
      const sessionId = session?.sessionId ?? newId("session");
      own.clock.advance(SESSION_MS - 1);
      expect(await readSession(own, sessionId)).not.toBeNull();
      own.clock.advance(1);
      expect(await readSession(own, sessionId)).toBeNull();
      expect(await readSession(own, newId("session"))).toBeNull();
    } finally {
      await own.close();
    }
  });

  it("switches to the person's own tenants only, and back", async () => {
    const second = await addTenant(context);
    await context.sql(
      "INSERT INTO memberships (tenant_id, user_id, role, created_at) VALUES ($1, $2, 'admin', now())",
      [second, person.userId],
    );
    const { sessionId } = await signedIn();
    const acting = async () => (await liveSession(sessionId)).actor;
    await switchTenant(context, await acting(), second);
    expect(await acting()).toMatchObject({ tenantId: second, reach: { role: "admin" } });
    await switchTenant(context, await acting(), person.tenantId);
    expect(await acting()).toMatchObject({ tenantId: person.tenantId, reach: { role: "coordinator" } });
    const foreign = await addTenant(context);
    await expect(switchTenant(context, await acting(), foreign)).rejects.toMatchObject({ code: "not_found" });
    expect(await acting()).toMatchObject({ tenantId: person.tenantId });
  });

  it("of somebody taken out of their tenant reaches nothing of it", async () => {
    const { sessionId } = await signedIn();
    await context.sql("DELETE FROM memberships WHERE user_id = $1", [person.userId]);
    expect(await liveSession(sessionId)).toMatchObject({
      actor: { tenantId: null, reach: null },
      view: { tenants: [] },
    });
  });
});
