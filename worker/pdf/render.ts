import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type Finding, PacketFailure } from "@/server/domain/failure";
import { Manifest, type TemplatePart } from "@/server/domain/manifest";
import type { DocumentInput, Letterhead, PacketKind, TemplateDocument } from "@/server/packets/kind";
import { readKind } from "@/server/packets/registry";
import { coverageFindings } from "@/server/packets/stationery/coverage";
import { loadFonts } from "@/server/packets/stationery/fonts";
import { forgetTexts } from "@/server/packets/stationery/glyph-runs";
import type { AnswerOf, Chunk, RequestOf } from "@/worker/renderer/requests";
import { drawPages } from "./draw";
import { paginateRows } from "./paginate";

const Input = z.strictObject({ payload: z.unknown(), manifest: Manifest });

/** Tuned on eight columns, 30 rows a page: 120 costs 1.97 ms a row, 180 1.90, 240 2.21, 480 2.30. */
const WINDOW_ROWS = 180;

/**
 * Renders one template part of a packet to PDF files in the request's directory and returns them in order. Throws `payload_invalid`,
 * `missing_glyphs` or `template_rejected`, with the position of the part; `onProgress` is called after each file.
 */
export async function renderPart(request: RequestOf<"render">, onProgress: () => void): Promise<AnswerOf<"render">> {
  await loadFonts();
  const kind = readKind(request.kind);
  const input = await readInput(request, kind);
  refuseMissingGlyphs(input, request.position);
  try {
    return await writeChunks(request, input, await documentOf(kind, input), onProgress);
  } catch (cause) {
    throw failureOf(cause, request.position);
  } finally {
    forgetTexts();
  }
}

async function documentOf(kind: PacketKind, input: DocumentInput<unknown>): Promise<TemplateDocument> {
  const draw = (await kind.template()).documents[input.part.document];
  if (draw === undefined) throw new PacketFailure("template_rejected");
  return draw(input);
}

/**
 * Whatever a template throws that we did not expect is the template's fault: permanent, never tried again. A full disk or a lost
 * directory is not. [C180,C189]
 */
function failureOf(cause: unknown, position: number): unknown {
  if (cause instanceof PacketFailure) {
    const { code, detail, page, findings } = cause;
    return new PacketFailure(code, {
      position,
      findings,
      cause,
      ...(detail === undefined ? {} : { detail }),
      ...(page === undefined ? {} : { page }),
    });
  }
  if (cause instanceof Error && "syscall" in cause) return cause;
  return new PacketFailure("template_rejected", { position, cause });
}

async function writeChunks(
  request: RequestOf<"render">,
  input: DocumentInput<unknown>,
  document: TemplateDocument,
  onProgress: () => void,
): Promise<AnswerOf<"render">> {
  const pagesMax = request.pagesMax ?? Number.POSITIVE_INFINITY;
  const chunks: Chunk[] = [];
  let pages = 0;
  for await (const drawn of windowsOf(request, input, document)) {
    const kept = Math.min(drawn.pages, pagesMax - pages);
    const path = join(request.outputDirectory, `${request.position}-${chunks.length + 1}.pdf`);
    await writeFile(path, drawn.bytes, { mode: 0o600, flag: "wx" });
    chunks.push({ path, from: 1, pages: kept });
    pages += kept;
    onProgress();
    if (pages >= pagesMax) break;
  }
  return { chunks, pages };
}

async function* windowsOf(
  request: RequestOf<"render">,
  input: DocumentInput<unknown>,
  document: TemplateDocument,
): AsyncGenerator<{ bytes: Uint8Array; pages: number }> {
  const facts = {
    title: input.part.title,
    author: input.letterhead.tenantName,
    language: request.language,
    createdAt: request.createdAt,
  };
  if (document.flow === "whole") {
    const { bytes, rowsByPage } = await drawPages(document.element, facts);
    yield { bytes, pages: rowsByPage.length };
    return;
  }
  yield* paginateRows({
    rows: document.rows,
    window: (from, to) => document.window(from, to),
    draw: (page) => drawPages(page, facts),
    windowRows: WINDOW_ROWS,
  });
}

async function readInput(request: RequestOf<"render">, kind: PacketKind): Promise<DocumentInput<unknown>> {
  const { payload, manifest } = Input.parse(JSON.parse(await readFile(request.inputPath, "utf8")));
  const parsed = kind.payload.safeParse(payload);
  if (!parsed.success) throw new PacketFailure("payload_invalid", { findings: findingsOf(parsed.error) });
  return {
    payload: parsed.data,
    manifest,
    part: readPart(manifest, request.position),
    letterhead: await readLetterhead(request.letterhead),
    revision: request.revision,
    layout: request.layout,
    tables: await readTables(request.tables),
  };
}

function readPart(manifest: Manifest, position: number): TemplatePart {
  const part = manifest.parts.find((candidate) => candidate.position === position);
  if (part?.type !== "template") throw new PacketFailure("template_rejected", { position });
  return part;
}

async function readLetterhead({ logoPath, ...rest }: RequestOf<"render">["letterhead"]): Promise<Letterhead> {
  return {
    ...rest,
    tenantName: rest.tenantName.normalize("NFC"),
    logo: logoPath === null ? null : await readFile(logoPath),
  };
}

async function readTables(paths: Readonly<Record<string, string>>): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const [name, path] of Object.entries(paths)) {
    const lines = (await readFile(path, "utf8")).split("\n");
    tables[name] = lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
  }
  return tables;
}

/** What the template may print is checked before it prints: the renderer itself says nothing about a character it lacks. */
function refuseMissingGlyphs(input: DocumentInput<unknown>, position: number): void {
  const findings = [
    ...coverageFindings(input.payload),
    ...coverageFindings(input.tables, ["tables"]),
    ...coverageFindings(
      input.manifest.parts.map((part) => part.title),
      ["manifest", "titles"],
    ),
    ...coverageFindings(input.letterhead.tenantName, ["letterhead", "tenantName"]),
  ];
  if (findings.length > 0) throw new PacketFailure("missing_glyphs", { position, findings });
}

function findingsOf(error: z.ZodError): Finding[] {
  return error.issues.map((issue) => ({
    path: issue.path.map((key) => (typeof key === "symbol" ? String(key) : key)),
    code: issue.code,
    message: issue.message,
  }));
}
