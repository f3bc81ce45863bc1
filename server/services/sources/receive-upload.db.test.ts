import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import { type Database, openDatabase } from "@/server/db/client";
import type { PersonActor, Reach } from "@/server/domain/access";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, type SourceId, sourceKey, type TenantId } from "@/server/domain/ids";
import { eraseExpiredInputs } from "@/worker/maintenance/erase-expired-inputs";
import { replacing } from "@/worker/test-worker";
import { addPerson, addTenant, countRows, openTestContext, type TestContext } from "../test-context";
import { readSources } from "./read-sources";
import { receiveUpload, type Upload } from "./receive-upload";

const database = testDatabase();
let context: TestContext;
let actor: PersonActor & { tenantId: TenantId; reach: Reach };

beforeAll(async () => {
  context = await openTestContext(database.url);
});
afterAll(() => context.close());
beforeEach(async () => {
  actor = await addPerson(context, await addTenant(context));
});

async function* chunksOf(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

function upload(bytes: AsyncIterable<Uint8Array>, changes: Partial<Upload> = {}) {
  const given = { bytes, declaredBytes: null, title: "minutes.pdf", purpose: "pages", correlationId: "cor-upload" };
  return receiveUpload(context, actor, { ...given, ...changes });
}

/** Expects a refusal that leaves no row, no delivery and no file. */
async function refuses(work: () => Promise<unknown>, failure: object): Promise<void> {
  const before = await countRows(context);
  await expect(work()).rejects.toMatchObject({ name: "PacketFailure", ...failure });
  expect(await countRows(context)).toEqual(before);
  await expectNothingIncoming();
}

async function expectNothingIncoming(): Promise<void> {
  await mkdir(context.incomingDirectory, { recursive: true });
  expect(await readdir(context.incomingDirectory)).toEqual([]);
}

describe("a received upload", () => {
  it("waits for its inspection: bytes, row, delivery and event, and no file left over", async () => {
    const { sourceId } = await upload(chunksOf("%PDF-1.7 ", "hello"), { declaredBytes: 14 });
    const bytes = Buffer.from("%PDF-1.7 hello");
    const [row] = await context.sql("SELECT * FROM sources WHERE id = $1", [sourceId]);
    expect(row).toMatchObject({
      tenant_id: actor.tenantId,
      state: "inspecting",
      purpose: "pages",
      title: "minutes.pdf",
      bytes: "14",
      digest: digestOf(bytes),
      uploaded_by: actor.userId,
      erase_by: new Date(context.clock.now().getTime() + 7 * 86_400_000),
    });
    const stored = await context.sources.open(sourceKey(sourceId, "bytes"));
    expect(Buffer.from(await new Response(stored).arrayBuffer())).toEqual(bytes);
    const [delivery] = await context.sql("SELECT name, data FROM pgboss.job WHERE data ->> 'sourceId' = $1", [
      sourceId,
    ]);
    expect(delivery).toEqual({ name: "inspection", data: { sourceId } });
    const [event] = await context.sql("SELECT action, facts FROM audit_events WHERE subject_id = $1", [sourceId]);
    expect(event).toEqual({ action: "source.received", facts: { bytes: 14 } });
    await expectNothingIncoming();
  });

  it("has files that only we can read while it arrives [C220,C225]", async () => {
    let modes: number[] = [];
    async function* looking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("%PDF");
      const [name] = await readdir(context.incomingDirectory);
      expect(name).toMatch(/^[0-9a-f]{32}$/);
      const found = [context.incomingDirectory, `${context.incomingDirectory}/${name}`].map((path) => stat(path));
      modes = (await Promise.all(found)).map((entry) => entry.mode & 0o777);
    }
    await upload(looking());
    expect(modes).toEqual([0o700, 0o600]);
  });

  it("is shown to its tenant with its state, in the order asked for", async () => {
    const first = await upload(chunksOf("one"), { title: "one.pdf" });
    const second = await upload(chunksOf("two"), { title: "two.pdf" });
    const views = await readSources(context, actor, [second.sourceId, "src_unknown", first.sourceId, "\u0000"]);
    expect(views.map((view) => [view.title, view.state])).toEqual([
      ["two.pdf", "inspecting"],
      ["one.pdf", "inspecting"],
    ]);
  });
});

describe("an upload over the ceiling", () => {
  const MEGABYTE = new Uint8Array(64 * 1024);

  it("is refused while it streams, having read little more than the ceiling [C107,C459]", async () => {
    let sent = 0;
    let isClosed = false;
    async function* tenTimes(): AsyncGenerator<Uint8Array> {
      try {
        while (sent < context.uploadBytesMax * 10) {
          sent += MEGABYTE.length;
          yield MEGABYTE;
        }
      } finally {
        isClosed = true;
      }
    }
    await refuses(() => upload(tenTimes()), { code: "source_too_large" });
    expect(sent).toBeLessThanOrEqual(context.uploadBytesMax + MEGABYTE.length);
    expect(isClosed).toBe(true);
  });

  it("is refused before a byte is read where it says so itself", async () => {
    let sent = 0;
    async function* counting(): AsyncGenerator<Uint8Array> {
      sent += 1;
      yield MEGABYTE;
    }
    const declaredBytes = context.uploadBytesMax + 1;
    await refuses(() => upload(counting(), { declaredBytes }), { code: "source_too_large" });
    expect(sent).toBe(0);
  });

  it("is not over it at exactly the ceiling [C93]", async () => {
    const whole = new Uint8Array(context.uploadBytesMax);
    expect(await upload(chunksOf(whole))).toMatchObject({ sourceId: expect.stringMatching(/^src_/) });
    await refuses(() => upload(chunksOf(whole, "x")), { code: "source_too_large" });
  });
});

describe("an upload that is not what it says", () => {
  it("is refused where it is empty", async () => {
    await refuses(() => upload(chunksOf()), { code: "source_empty" });
    await refuses(() => upload(chunksOf(new Uint8Array(0))), { code: "source_empty" });
  });

  it("is refused where it is shorter or longer than declared", async () => {
    await refuses(() => upload(chunksOf("12345"), { declaredBytes: 6 }), { code: "source_incomplete" });
    await refuses(() => upload(chunksOf("12345"), { declaredBytes: 4 }), { code: "source_incomplete" });
  });

  it("leaves nothing where the connection breaks", async () => {
    const before = await countRows(context);
    const broken = new Error("the connection was reset");
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("%PDF");
      throw broken;
    }
    await expect(upload(breaking())).rejects.toBe(broken);
    expect(await countRows(context)).toEqual(before);
    await expectNothingIncoming();
  });

  it.each(["", "Pages", "depot-report", "depot-report/rows", "../pages", "pages\u0000", "constructor", "__proto__"])(
    "is refused for the purpose %j",
    async (purpose) => {
      await refuses(() => upload(chunksOf("x"), { purpose }), { code: "invalid_request" });
    },
  );
});

describe("an upload that does not become one", () => {
  const given = { declaredBytes: null, title: "canary.pdf", purpose: "pages", correlationId: "c" };
  const HOUR_MS = 3_600_000;
  let db: Database;

  beforeAll(() => {
    db = openDatabase({ url: database.url, role: "bindery_worker", connectionsMax: 2 });
  });
  afterAll(() => db.close());

  const receive = (changes: Partial<TestContext>) =>
    receiveUpload({ ...context, ...changes }, actor, { ...given, bytes: chunksOf("%PDF-1.7 of a meeting") });
  /** The one row of an upload of this tenant. */
  async function onlyRow() {
    const rows = await context.sql<{ id: SourceId; state: string; title: string; erase_by: Date; erased_at: Date }>(
      "SELECT id, state, title, erase_by, erased_at FROM sources WHERE tenant_id = $1",
      [actor.tenantId],
    );
    expect(rows).toHaveLength(1);
    return rows[0] ?? Promise.reject(new RangeError("There is no row."));
  }
  const bytesOf = (sourceId: SourceId) => context.sources.stat(sourceKey(sourceId, "bytes"));
  const auditOf = (sourceId: SourceId) => context.sql("SELECT 1 FROM audit_events WHERE subject_id = $1", [sourceId]);

  it("has its row before its bytes: killed right after they are stored, it leaves what goes at its deadline, unseen [C168,C308]", async () => {
    const sources = replacing(context.sources, {
      // The process ends here: nothing that comes after happens.
      commit: async (...args) => {
        await context.sources.commit(...args);
        killed();
        return new Promise<never>(() => undefined);
      },
    });
    let killed: () => void = () => undefined;
    const death = new Promise<void>((resolve) => {
      killed = resolve;
    });
    void receive({ sources });
    await death;
    const row = await onlyRow();
    expect(row).toMatchObject({ state: "receiving", erased_at: null });
    expect(row.erase_by.getTime() - context.clock.now().getTime()).toBe(HOUR_MS);
    expect(await bytesOf(row.id)).not.toBeNull();
    expect(await readSources(context, actor, [row.id])).toEqual([]);
    expect(await auditOf(row.id)).toEqual([]);
    context.clock.advance(HOUR_MS - 1);
    await eraseExpiredInputs({ ...context, db });
    expect(await bytesOf(row.id)).not.toBeNull();
    context.clock.advance(1);
    expect(await eraseExpiredInputs({ ...context, db })).toMatchObject({ failed: 0, lagMsMax: 0 });
    expect(await bytesOf(row.id)).toBeNull();
    expect(await onlyRow()).toMatchObject({ title: "", erased_at: context.clock.now() });
    await rm(context.incomingDirectory, { recursive: true });
  });

  it("stores nothing where its row cannot be written", async () => {
    const stored: string[] = [];
    const sources = replacing(context.sources, {
      commit: (...args) => {
        stored.push(args[0]);
        return context.sources.commit(...args);
      },
    });
    const noDatabase = replacing(context.db, { transact: () => Promise.reject(new Error("no database")) });
    await expect(receive({ sources, db: noDatabase })).rejects.toThrow("no database");
    expect(stored).toEqual([]);
    await expectNothingIncoming();
  });

  it("leaves no bytes behind where it cannot be confirmed, and no name [C168]", async () => {
    await expect(receive({ enqueue: () => Promise.reject(new Error("the queue is away")) })).rejects.toThrow("away");
    const row = await onlyRow();
    expect(row).toMatchObject({ state: "receiving", title: "", erased_at: context.clock.now() });
    expect(await bytesOf(row.id)).toBeNull();
    expect(await auditOf(row.id)).toEqual([]);
    await expectNothingIncoming();
  });

  it("nor where the store says that it failed and holds them all the same; and what it does not give up goes later", async () => {
    const unsure = replacing(context.sources, {
      commit: async (...args) => {
        await context.sources.commit(...args);
        throw new PacketFailure("storage_unavailable");
      },
    });
    await expect(receive({ sources: unsure })).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await bytesOf((await onlyRow()).id)).toBeNull();

    actor = await addPerson(context, await addTenant(context));
    const stuck = replacing(unsure, { erase: () => Promise.reject(new PacketFailure("storage_unavailable")) });
    await expect(receive({ sources: stuck })).rejects.toMatchObject({ code: "storage_unavailable" });
    const row = await onlyRow();
    expect(row.erased_at).toBeNull();
    context.clock.advance(HOUR_MS);
    await eraseExpiredInputs({ ...context, db });
    expect(await bytesOf(row.id)).toBeNull();
  });

  it("given up while its bytes were on their way leaves none of them either", async () => {
    const slow = replacing(context.sources, {
      commit: async (...args) => {
        context.clock.advance(HOUR_MS);
        await eraseExpiredInputs({ ...context, db });
        return context.sources.commit(...args);
      },
    });
    await expect(receive({ sources: slow })).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await bytesOf((await onlyRow()).id)).toBeNull();
  });

  it("but stands where only the answer to its confirmation was lost", async () => {
    let calls = 0;
    const unsure = replacing(context.db, {
      transact: async (...args: Parameters<Database["transact"]>) => {
        const answer = await context.db.transact(...args);
        calls += 1;
        if (calls === 2) throw new Error("the connection was lost");
        return answer;
      },
    } as Partial<Database>);
    await expect(receive({ db: unsure })).rejects.toThrow("lost");
    const row = await onlyRow();
    expect(row).toMatchObject({ state: "inspecting", title: "canary.pdf", erased_at: null });
    expect(await bytesOf(row.id)).not.toBeNull();
  });
});

describe("a name from somebody's machine", () => {
  it.each([
    ["/etc/passwd", "passwd"],
    ["..\\..\\windows\\system32\\board minutes.pdf", "board minutes.pdf"],
    ["../../", "Untitled"],
    ["a\u0000b\r\nc.pdf", "abc.pdf"],
    ["x\ud800y.pdf", "x\ufffdy.pdf"],
    ["invoice\u202Efdp.exe", "invoicefdp.exe"],
    ["", "Untitled"],
    ["   ", "Untitled"],
    ["n".repeat(5_000), "n".repeat(200)],
    ["Zoe\u0308.pdf", "Zoë.pdf"],
  ])("%j is kept as words to show and reaches no path [C113,C212,C216,C217]", async (title, shown) => {
    const paths: string[] = [];
    const looking: TestContext = {
      ...context,
      sources: new Proxy(context.sources, {
        get: (target, property) =>
          property === "commit"
            ? (key: never, path: string, digest: never) => {
                paths.push(key, path);
                return target.commit(key, path, digest);
              }
            : Reflect.get(target, property),
      }),
    };
    const given = { bytes: chunksOf("x"), declaredBytes: null, title, purpose: "pages", correlationId: "c" };
    const { sourceId } = await receiveUpload(looking, actor, given);
    const [row] = await context.sql("SELECT title FROM sources WHERE id = $1", [sourceId]);
    expect(row?.title).toBe(shown);
    expect(paths).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(new RegExp(`^${context.incomingDirectory}/[0-9a-f]{32}$`)),
    ]);
  });
});

describe("somebody who may not submit", () => {
  it.each(["viewer", "recipient"] as const)("uploads nothing as %s, and nothing of it is read", async (role) => {
    const member = await addPerson(context, actor.tenantId, { role });
    let sent = 0;
    async function* counting(): AsyncGenerator<Uint8Array> {
      sent += 1;
      yield Buffer.from("x");
    }
    const given = { bytes: counting(), declaredBytes: 1, title: "a", purpose: "pages", correlationId: "c" };
    await refuses(() => receiveUpload(context, member, given), { code: "not_found" });
    expect(sent).toBe(0);
  });

  it("sees no sources as a recipient", async () => {
    const { sourceId } = await upload(chunksOf("x"));
    const recipient = await addPerson(context, actor.tenantId, { role: "recipient" });
    await expect(readSources(context, recipient, [sourceId])).rejects.toMatchObject({ code: "not_found" });
  });
});
