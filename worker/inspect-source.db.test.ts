import { describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { digestOf, type SourceId, sourceKey } from "@/server/domain/ids";
import { depotReport } from "@/server/packets/depot-report";
import { readSources } from "@/server/services/sources/read-sources";
import { receiveUpload } from "@/server/services/sources/receive-upload";
import { TODAY } from "@/server/services/test-context";
import { inspectSource } from "./inspect-source";
import { pagesOfWidth, uploaded } from "./test-packets";
import { testScene } from "./test-scene";
import { replacing, type WorkerTools } from "./test-worker";

const scene = testScene();
const SHIPMENTS = "depot-report/shipments";

async function received(bytes: Uint8Array, purpose = "pages"): Promise<SourceId> {
  const { context, actor } = scene;
  const { sourceId } = await receiveUpload(context, actor, {
    bytes: (async function* () {
      yield bytes;
    })(),
    declaredBytes: bytes.byteLength,
    title: "canary name.pdf",
    purpose,
    correlationId: "cor",
  });
  return sourceId;
}

const text = (content: string) => new TextEncoder().encode(content);

async function viewOf(sourceId: SourceId) {
  const [view] = await readSources(scene.context, scene.actor, [sourceId]);
  if (view === undefined) throw new RangeError("There is no such source.");
  return view;
}

async function rowOf(sourceId: SourceId) {
  const [row] = await scene.context.sql("SELECT * FROM sources WHERE id = $1", [sourceId]);
  return row ?? {};
}

describe("an inspected file", () => {
  it("that is a PDF is accepted with its pages and their sizes, and its bytes are as received [C108,C109]", async () => {
    const bytes = await pagesOfWidth(321, 3);
    const sourceId = await uploaded(scene, bytes);
    expect(await viewOf(sourceId)).toMatchObject({
      state: "accepted",
      mediaType: "application/pdf",
      pages: 3,
      refusal: null,
    });
    expect((await rowOf(sourceId)).sizes).toEqual(Array.from({ length: 3 }, () => [321, 400]));
    expect(await scene.host.stores.sources.digestOf(sourceKey(sourceId, "bytes"))).toBe(digestOf(bytes));
  });

  it.each([
    ["text that calls itself a PDF", text("%PDF-1.7 but nothing else")],
    ["a web page", text("<!doctype html><title>Minutes</title>")],
    ["a PDF cut in half", null],
  ])("that is %s is refused with what to do, and nothing of it is used [C97,C109]", async (_, given) => {
    const whole = await pagesOfWidth(300, 2);
    const sourceId = await uploaded(scene, given ?? whole.subarray(0, whole.length / 2), { title: "minutes.pdf" });
    const view = await viewOf(sourceId);
    expect(view).toMatchObject({ state: "refused", pages: 0 });
    expect(view.refusal?.code).toMatch(/^source_/);
    expect(view.refusal?.message).toMatch(/\.$/);
  });

  it("whose stored bytes are not the ones received is refused [C137]", async () => {
    const sourceId = await received(await pagesOfWidth(300));
    await scene.context.sql("UPDATE sources SET digest = $2 WHERE id = $1", [sourceId, digestOf("something else")]);
    await scene.worker.inspect(sourceId);
    expect((await viewOf(sourceId)).refusal?.code).toBe("source_digest_mismatch");
    expect(scene.worker.asked).toEqual([]);
  });
});

describe("an inspected table", () => {
  it("is accepted with its rows, kept apart from the bytes under a digest of their own", async () => {
    const [file] = depotReport.samples.typicalOn(TODAY).files;
    const sourceId = await uploaded(scene, (await file?.make()) ?? new Uint8Array(), { purpose: SHIPMENTS });
    expect(await viewOf(sourceId)).toMatchObject({ state: "accepted", mediaType: "text/csv", rows: 180, pages: 0 });
    const { rows_digest, rows_bytes } = await rowOf(sourceId);
    const { sources } = scene.host.stores;
    expect(await sources.digestOf(sourceKey(sourceId, "rows"))).toBe(rows_digest);
    expect((await sources.stat(sourceKey(sourceId, "rows")))?.bytes).toBe(Number(rows_bytes));
  });

  it("with faults is refused row by row, and no rows are kept", async () => {
    const csv =
      "Reference,Date,Customer,Destination,Pallets,Weight kg,Value,Status\nSH-1,2026-13-40,A,B,x,1,1,delivered\n";
    const sourceId = await uploaded(scene, text(csv), { purpose: SHIPMENTS });
    const view = await viewOf(sourceId);
    expect(view).toMatchObject({ state: "refused", refusal: { code: "table_invalid" } });
    expect(view.findings.map((finding) => finding.row)).toContain(2);
    expect(await scene.host.stores.sources.stat(sourceKey(sourceId, "rows"))).toBeNull();
  });
});

describe("an inspection delivered more than once", () => {
  it("at once or afterwards leaves one verdict, the first [C38,C446]", async () => {
    const { context, worker } = scene;
    const sourceId = await received(await pagesOfWidth(300, 2));
    await Promise.all([worker.inspect(sourceId), worker.inspect(sourceId), worker.inspect(sourceId)]);
    const before = await rowOf(sourceId);
    expect(before).toMatchObject({ state: "accepted", pages: 2 });
    worker.asked.length = 0;
    context.clock.advance(1_000);
    await worker.inspect(sourceId);
    expect(await rowOf(sourceId)).toEqual(before);
    expect(worker.asked).toEqual([]);
  });

  it("of an upload that is erased, or that nobody knows, does nothing", async () => {
    const { context, worker } = scene;
    const sourceId = await received(await pagesOfWidth(300));
    await context.sql("UPDATE sources SET erased_at = now() WHERE id = $1", [sourceId]);
    await worker.inspect(sourceId);
    await worker.inspect(`src_${"0".repeat(32)}` as SourceId);
    expect(worker.asked).toEqual([]);
    expect((await rowOf(sourceId)).tries).toBe(0);
  });
});

describe("trouble that is not the file's", () => {
  const full: Partial<WorkerTools> = {
    workspaceBudget: {
      bytesUsed: () => 0,
      hasRoom: async () => true,
      admit: () => Promise.reject(new PacketFailure("workspace_full")),
    },
  };
  const inspect = (sourceId: SourceId, changes: Partial<WorkerTools>) =>
    inspectSource(sourceId, { ...scene.worker.tools, ...changes });

  it("never counts against it, however long it lasts", async () => {
    const sourceId = await received(await pagesOfWidth(300));
    const away = replacing(scene.host.stores.sources, {
      open: () => Promise.reject(new PacketFailure("storage_unavailable")),
    });
    for (let index = 0; index < 6; index += 1) await inspect(sourceId, index % 2 === 0 ? full : { sources: away });
    expect(await rowOf(sourceId)).toMatchObject({ state: "inspecting", tries: 0 });
    expect(scene.worker.lines.at(-1)).toMatchObject({
      event: "inspection_failed",
      sourceId,
      code: "storage_unavailable",
    });
    await scene.worker.inspect(sourceId);
    expect((await viewOf(sourceId)).state).toBe("accepted");
  });

  it("of a worker that must stop does not either", async () => {
    const sourceId = await received(await pagesOfWidth(300));
    const stopping = new AbortController();
    stopping.abort(new PacketFailure("renderer_lost"));
    await inspect(sourceId, { stop: stopping.signal });
    expect(await rowOf(sourceId)).toMatchObject({ state: "inspecting", tries: 0 });
  });
});

describe("a file that no worker survives", () => {
  it("is refused for what it is after three tries", async () => {
    const sourceId = await received(await pagesOfWidth(300));
    // Three workers began and were never heard of again.
    await scene.context.sql("UPDATE sources SET tries = 3 WHERE id = $1", [sourceId]);
    await scene.worker.inspect(sourceId);
    expect((await viewOf(sourceId)).refusal?.code).toBe("source_exhausts_limits");
    expect(scene.worker.asked).toEqual([]);
  });

  it("is refused as well where its children are lost for reasons that nobody knows", async () => {
    const sourceId = await received(await pagesOfWidth(300));
    const lost = scene.asking(() => Promise.reject(new PacketFailure("renderer_lost")));
    for (let index = 0; index < 4; index += 1) await inspectSource(sourceId, { ...scene.worker.tools, ...lost });
    expect((await viewOf(sourceId)).refusal?.code).toBe("source_exhausts_limits");
  });
});

describe("what is logged of an inspection", () => {
  it("is its id, verdict and counts, and nothing of the file [C389,C394]", async () => {
    const sourceId = await received(await pagesOfWidth(300));
    await scene.worker.inspect(sourceId);
    expect(scene.worker.lines.at(-1)).toMatchObject({
      event: "source_inspected",
      sourceId,
      outcome: "accepted",
      pages: 1,
    });
    expect(JSON.stringify(scene.worker.lines)).not.toContain("canary");
  });
});
