import { mkdir, readdir, stat } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "@/scripts/test-database";
import type { PersonActor, Reach } from "@/server/domain/access";
import { digestOf, type SourceId, sourceKey, type TenantId } from "@/server/domain/ids";
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

describe("an upload whose row cannot be written", () => {
  it("leaves no bytes behind [C168]", async () => {
    const kept: SourceId[] = [];
    const broken: TestContext = {
      ...context,
      enqueue: async (_tx, _queue, delivery) => {
        if ("sourceId" in delivery) kept.push(delivery.sourceId as SourceId);
        throw new Error("the queue is away");
      },
    };
    const given = { declaredBytes: null, title: "a.pdf", purpose: "pages", correlationId: "c" };
    await expect(receiveUpload(broken, actor, { ...given, bytes: chunksOf("x") })).rejects.toThrow("away");
    expect(kept).toHaveLength(1);
    for (const sourceId of kept) expect(await context.sources.stat(sourceKey(sourceId, "bytes"))).toBeNull();
    await expectNothingIncoming();
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
