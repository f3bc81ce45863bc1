import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { PDFDocument } from "pdf-lib";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type FailureCode, PacketFailure, policyOf } from "@/server/domain/failure";
import { digestOf } from "@/server/domain/ids";
import { boardBook } from "@/server/packets/board-book";
import { depotReport } from "@/server/packets/depot-report";
import { depotSample } from "@/server/packets/depot-report/sample";
import { monthlyReport } from "@/server/packets/monthly-report";
import { onboardingPacket } from "@/server/packets/onboarding-packet";
import { renderPart } from "./render";
import { type Bench, benchFor, textsOf } from "./testing/rendered-sample";

const benches: Bench[] = [];
let folders = 0;
afterAll(() => Promise.all(benches.map((bench) => bench.close())));

async function benchOf(...args: Parameters<typeof benchFor>): Promise<Bench> {
  const bench = await benchFor(...args);
  benches.push(bench);
  return bench;
}

async function newFolder(bench: Bench): Promise<string> {
  folders += 1;
  const folder = join(bench.folder, `out-${folders}`);
  await mkdir(folder);
  return folder;
}

/** Renders a part into a folder of its own and returns the digest of its files, in order. */
async function digestAt(bench: Bench, position: number): Promise<string> {
  const answer = await renderPart(bench.request(position, { outputDirectory: await newFolder(bench) }), () => {});
  const files = await Promise.all(answer.chunks.map((chunk) => readFile(chunk.path)));
  return digestOf(Buffer.concat(files));
}

describe("the same request", () => {
  it("gives the same bytes again, whatever this process rendered in between [C238]", async () => {
    const report = await benchOf(monthlyReport, monthlyReport.samples.typical);
    const depot = await benchOf(depotReport, depotReport.samples.typical);
    const packet = await benchOf(onboardingPacket, onboardingPacket.samples.typical);
    const before = await digestAt(report, 3);
    await Promise.all([digestAt(depot, 3), digestAt(packet, 1), digestAt(report, 2)]);
    expect(await digestAt(report, 3)).toBe(before);
  });

  it("gives the same bytes in other processes, in other zones and languages, on another day [C238]", async () => {
    const bench = await benchOf(monthlyReport, monthlyReport.samples.typical);
    const here = await digestAt(bench, 3);
    const root = join(import.meta.dirname, "../..");
    // Inside the repository, where its packages are found.
    const outfile = join(root, ".build/test/render-child.mjs");
    await build({
      stdin: { contents: CHILD, resolveDir: root, loader: "ts" },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      jsx: "automatic",
      alias: { "@": root },
      logLevel: "silent",
    });
    for (const env of [
      { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", DAY: "2026-12-02T00:00:00Z" },
      { TZ: "America/Los_Angeles", LC_ALL: "C", DAY: "2031-07-01T23:59:59Z" },
    ]) {
      const request = bench.request(3, { outputDirectory: await newFolder(bench) });
      const { stdout } = await promisify(execFile)(process.execPath, [outfile, JSON.stringify(request)], {
        env: { PATH: process.env.PATH, NODE_ENV: "production", ...env },
      });
      expect(stdout.trim()).toBe(here);
    }
  });
});

const CHILD = `
import { readFile } from "node:fs/promises";
import { digestOf } from "@/server/domain/ids";
import { renderPart } from "@/worker/pdf/render";
const day = Date.parse(process.env.DAY ?? "");
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) { super(...(args.length === 0 ? [day] : args)); }
  static now() { return day; }
};
const answer = await renderPart(JSON.parse(process.argv[2]), () => {});
const files = await Promise.all(answer.chunks.map((chunk) => readFile(chunk.path)));
console.log(digestOf(Buffer.concat(files)));
`;

describe("the files", () => {
  it("have names of ours and are private, whatever the umask and whatever the payload says [C213,C216,C218,C225]", async () => {
    const bench = await benchOf(boardBook, boardBook.samples.typical);
    const outputDirectory = await newFolder(bench);
    const umask = process.umask(0);
    try {
      for (const position of [1, 2, 3]) await renderPart(bench.request(position, { outputDirectory }), () => {});
    } finally {
      process.umask(umask);
    }
    const names = await readdir(outputDirectory);
    expect(names.sort()).toEqual(["1-1.pdf", "2-1.pdf", "3-1.pdf"]);
    for (const name of names) expect((await stat(join(outputDirectory, name))).mode & 0o777).toBe(0o600);
  });

  it("are PDF/A with our own fonts only, titled and dated by the revision [C232,C441]", async () => {
    const bench = await benchOf(monthlyReport, monthlyReport.samples.typical);
    const answer = await renderPart(bench.request(2, { outputDirectory: await newFolder(bench) }), () => {});
    const bytes = await readFile(answer.chunks[0]?.path ?? "");
    const fonts = [...bytes.toString("latin1").matchAll(/\/BaseFont \/([A-Za-z0-9+-]+)/g)].map((match) => match[1]);
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect(font).toMatch(/^[A-Z]{6}\+(Inter|SourceSerif4|NotoSans)-/);
    expect(bytes.toString("latin1")).toContain("<pdfaid:part>2</pdfaid:part>");
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.getTitle()).toBe("Summary");
    expect(document.getCreationDate()?.toISOString()).toBe("2026-12-01T09:00:00.000Z");
  });
});

describe("a long table", () => {
  it("comes in several files, and shows progress after each", async () => {
    const bench = await benchOf(depotReport, depotSample("2026-12-01", 600, { ref: "D-1", name: "Depot" }));
    let progress = 0;
    const request = bench.request(3, { outputDirectory: await newFolder(bench) });
    const answer = await renderPart(request, () => {
      progress += 1;
    });
    expect(answer.chunks.length).toBeGreaterThan(2);
    expect(progress).toBe(answer.chunks.length);
    const texts = await textsOf(answer);
    expect(texts).toHaveLength(answer.pages);
    const printed = texts.join("\n").match(/SH-2\d{5}/g);
    expect(printed).toEqual(Array.from({ length: 600 }, (_, index) => `SH-${200_001 + index}`));
    expect(texts.at(-1)).toContain("Total");
  });

  it("stops after the first pages of a preview, however long it is [C44]", async () => {
    const bench = await benchOf(depotReport, depotSample("2026-12-01", 600, { ref: "D-1", name: "Depot" }));
    const change = { fidelity: "preview" as const, pagesMax: 3, outputDirectory: await newFolder(bench) };
    const answer = await renderPart(bench.request(3, change), () => {});
    expect(answer.pages).toBe(3);
    expect(answer.chunks).toHaveLength(1);
    expect(await textsOf(answer)).toHaveLength(3);
  });
});

describe("what cannot be rendered", () => {
  const failure = async (
    promise: Promise<unknown>,
  ): Promise<{ code: FailureCode; findings: readonly unknown[]; position: number | undefined }> => {
    const error: unknown = await promise.then(
      () => new Error("It was rendered."),
      (reason: unknown) => reason,
    );
    if (!(error instanceof PacketFailure)) throw error;
    return error;
  };

  it.each([
    ["a missing field", (payload: object) => ({ ...payload, employee: undefined }), ["employee"]],
    [
      "a malformed date",
      (payload: { employee: object }) => ({ ...payload, employee: { ...payload.employee, startDate: "2027-02-30" } }),
      ["employee", "startDate"],
    ],
  ])("%s is named and never tried again [C187,C188]", async (_name, spoil, path) => {
    const { typical } = onboardingPacket.samples;
    const bench = await benchOf(onboardingPacket, typical, {
      change: ({ manifest }) => ({ payload: spoil(typical.payload), manifest }),
    });
    const { code, findings } = await failure(renderPart(bench.request(1), () => {}));
    expect(code).toBe("payload_invalid");
    expect(policyOf(code).disposition).toBe("permanent");
    expect(findings).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  });

  it("a character that no font has is refused with its field, before anything is drawn", async () => {
    const { typical } = onboardingPacket.samples;
    const employee = { ...typical.payload.employee, name: "王小明" };
    const bench = await benchOf(onboardingPacket, { ...typical, payload: { ...typical.payload, employee } });
    const outputDirectory = await newFolder(bench);
    const refused = await failure(renderPart(bench.request(1, { outputDirectory }), () => {}));
    expect(refused.code).toBe("missing_glyphs");
    expect(refused.position).toBe(1);
    expect(refused.findings).toEqual([expect.objectContaining({ path: ["employee", "name"] })]);
    expect(await readdir(outputDirectory)).toEqual([]);
  });

  it("a template that throws is rejected for good, without a word on the console [C180,C189]", async () => {
    const bench = await benchOf(depotReport, depotReport.samples.typical);
    const spy = vi.spyOn(console, "error");
    await writeFile(join(bench.folder, "bad.jsonl"), '{"reference":1}\n');
    const request = bench.request(1, { tables: { shipments: join(bench.folder, "bad.jsonl") } });
    const { code } = await failure(renderPart(request, () => {}));
    expect(code).toBe("template_rejected");
    expect(policyOf(code).disposition).toBe("permanent");
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  });

  it("a part that is no template, or a template that the kind does not have, is rejected", async () => {
    const bench = await benchOf(boardBook, boardBook.samples.typical);
    expect((await failure(renderPart(bench.request(4), () => {}))).code).toBe("template_rejected");
    expect((await failure(renderPart(bench.request(999), () => {}))).code).toBe("template_rejected");
  });

  it("a directory that is gone is not the template's fault", async () => {
    const bench = await benchOf(boardBook, boardBook.samples.typical);
    const request = bench.request(1, { outputDirectory: join(bench.folder, "nowhere") });
    await expect(renderPart(request, () => {})).rejects.toMatchObject({ code: "ENOENT" });
  });
});
