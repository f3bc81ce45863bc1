import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "pdf-lib";
import { digestOf, type SourceId } from "@/server/domain/ids";
import type { Manifest } from "@/server/domain/manifest";
import type { PacketKind, PartLayout, Sample, SourceFacts } from "@/server/packets/kind";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { withPdfium } from "../pdfium";
import { renderPart } from "../render";
import { inspectTable } from "../table";

type Request = RequestOf<"render">;

/** A sample as a render child sees it: files on disk, one request a part. */
export interface Bench {
  readonly folder: string;
  readonly manifest: Manifest;
  request(position: number, change?: Partial<Request>): Request;
  /** Renders every template part, again where it prints the layout, and returns what lies where. */
  renderAll(): Promise<{ layout: PartLayout[]; pages: number }>;
  close(): Promise<void>;
}

/** Lays out a sample for rendering in a folder of its own. `change` may spoil the input that is written. */
export async function benchFor(
  kind: PacketKind,
  sample: Sample<unknown>,
  options: { audience?: string; change?: (input: { payload: unknown; manifest: Manifest }) => unknown } = {},
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), "bindery-render-"));
  const tables: Record<string, string> = {};
  const facts = new Map<string, SourceFacts>();
  for (const file of sample.files) {
    const bytes = await file.make();
    let rows = 0;
    if (file.mediaType === "text/csv") {
      const { path, rows: found } = await rowsOf(kind, bytes, folder);
      tables.shipments = path;
      rows = found;
    }
    facts.set(file.sourceId, {
      sourceId: file.sourceId as SourceId,
      title: file.title,
      mediaType: file.mediaType,
      digest: digestOf(bytes),
      bytes: bytes.byteLength,
      pages: file.mediaType === "application/pdf" ? (await PDFDocument.load(bytes)).getPageCount() : 1,
      rows,
    });
  }
  const payload = kind.payload.parse(sample.payload);
  const manifest = kind.manifest(payload, options.audience ?? kind.audiences[0], (id) => {
    const found = facts.get(id);
    if (found === undefined) throw new Error("The sample names a file that it does not make.");
    return found;
  });
  const inputPath = join(folder, "input.json");
  const input = { payload, manifest };
  await writeFile(inputPath, JSON.stringify(options.change?.(input) ?? input));
  const request = requestMaker({ kind, sample, inputPath, tables, folder });
  return {
    folder,
    manifest,
    request,
    renderAll: () => renderAll(kind, manifest, request),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function renderAll(kind: PacketKind, manifest: Manifest, request: Bench["request"]) {
  const pages = new Map<number, number>();
  const layoutOf = (): PartLayout[] => {
    let firstPage = 1;
    return manifest.parts.map(({ position }) => {
      const entry = { position, firstPage, pages: pages.get(position) ?? 0 };
      firstPage += entry.pages;
      return entry;
    });
  };
  for (const part of manifest.parts) {
    if (part.type === "file") pages.set(part.position, part.pages);
    else pages.set(part.position, (await renderPart(request(part.position), () => {})).pages);
  }
  for (const part of manifest.parts) {
    if (part.type !== "template" || !kind.layoutDocuments.includes(part.document)) continue;
    const outputDirectory = await mkdtemp(join(tmpdir(), "bindery-render-"));
    const again = await renderPart(request(part.position, { layout: layoutOf(), outputDirectory }), () => {});
    await rm(outputDirectory, { recursive: true });
    if (again.pages !== pages.get(part.position)) throw new Error("Knowing the layout changed it.");
  }
  return { layout: layoutOf(), pages: [...pages.values()].reduce((sum, count) => sum + count, 0) };
}

interface Making {
  readonly kind: PacketKind;
  readonly sample: Sample<unknown>;
  readonly inputPath: string;
  readonly tables: Record<string, string>;
  readonly folder: string;
}

function requestMaker({ kind, sample, inputPath, tables, folder }: Making): Bench["request"] {
  return (position, change = {}) => ({
    op: "render",
    kind: kind.name,
    fidelity: "archival",
    language: kind.language,
    createdAt: `${sample.today}T09:00:00.000Z`,
    revision: { number: 1, shortId: "7f3a9c", preparedOn: sample.today },
    inputPath,
    tables,
    position,
    layout: [],
    letterhead: { tenantName: "Oakbridge Learning Trust", accent: "#0f5e63", logoPath: null, paper: "A4" },
    outputDirectory: folder,
    pagesMax: null,
    ...change,
  });
}

async function rowsOf(kind: PacketKind, bytes: Uint8Array, folder: string): Promise<{ path: string; rows: number }> {
  const path = join(folder, "table.csv");
  const outputPath = join(folder, "table.jsonl");
  await writeFile(path, bytes);
  const table = kind.tables[0]?.name ?? "";
  const answer = await inspectTable({ op: "inspect-table", path, kind: kind.name, table, outputPath }, () => {});
  if (answer.result === "reject") throw new Error(`The sample's table is refused: ${JSON.stringify(answer.findings)}`);
  return { path: outputPath, rows: answer.rows };
}

/** Returns the text of each page that an answer keeps, read by the second parser. */
export async function textsOf(answer: AnswerOf<"render">): Promise<string[]> {
  const texts: string[] = [];
  for (const { path, from, pages } of answer.chunks) {
    const bytes = await readFile(path);
    await withPdfium(bytes, (document) => {
      for (let index = from - 1; index < from - 1 + pages; index += 1) texts.push(document.getPage(index).getText());
    });
  }
  return texts.map((text) => text.replaceAll("\r\n", "\n"));
}
