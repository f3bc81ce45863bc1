import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerOf, RequestOf } from "@/worker/renderer/requests";
import { assemblePacket } from "../assemble";
import { inspectSource } from "../inspect";
import { prepareSource } from "../prepare";
import { readFinishedFile } from "../verify";

type Part = RequestOf<"assemble">["parts"][number];

export const LIMITS = { bytesMax: 50_000_000, pagesMax: 500, pixelsMax: 50_000_000 };

/** A folder for one test file, and the operations with the values that most tests want. */
export class Workshop {
  private count = 0;

  private constructor(readonly folder: string) {}

  static async open(): Promise<Workshop> {
    return new Workshop(await mkdtemp(join(tmpdir(), "bindery-pdf-")));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  path(name = ""): string {
    this.count += 1;
    return join(this.folder, `${this.count}${name}`);
  }

  async file(bytes: Uint8Array, name = ""): Promise<string> {
    const path = this.path(name);
    await writeFile(path, bytes);
    return path;
  }

  async inspect(bytes: Uint8Array, change: Partial<RequestOf<"inspect">> = {}): Promise<AnswerOf<"inspect">> {
    const path = await this.file(bytes);
    return inspectSource({ op: "inspect", path, limits: LIMITS, strict: false, ...change }, () => {});
  }

  /** Prepares a source and returns the clean bytes. Fails the test where it is refused. */
  async prepare(bytes: Uint8Array, change: Partial<RequestOf<"prepare">> = {}): Promise<Prepared> {
    const path = await this.file(bytes);
    const outputPath = this.path(".pdf");
    const base = {
      op: "prepare",
      path,
      outputPath,
      limits: LIMITS,
      strict: false,
      reduced: false,
      paper: "A4",
    } as const;
    const answer = await prepareSource({ ...base, ...change }, () => {});
    if (answer.result === "reject") throw new Error(`refused as ${answer.code}`);
    return { path: outputPath, bytes: await readFile(outputPath), answer };
  }

  /** Assembles parts into a book with page numbers and nothing else, unless `change` says so. */
  async assemble(parts: readonly Part[], change: Partial<RequestOf<"assemble">> = {}): Promise<Assembled> {
    const outputPath = this.path(".pdf");
    const answer = await assemblePacket(
      {
        op: "assemble",
        parts: [...parts],
        stampPath: null,
        previewMark: null,
        pageNumbers: { style: "x-of-y", from: 1 },
        document: {
          title: "Book",
          author: "Office",
          language: "en",
          createdAt: "2026-03-01T10:00:00Z",
          nonce: NONCE,
          claim: null,
        },
        outputPath,
        bytesMax: 50_000_000,
        ...change,
      },
      () => {},
    );
    return { path: outputPath, bytes: await readFile(outputPath), answer };
  }

  async verify(bytes: Uint8Array): Promise<AnswerOf<"verify">> {
    return readFinishedFile({ op: "verify", path: await this.file(bytes) }, () => {});
  }
}

export const NONCE = "0123456789abcdef0123456789abcdef";

export interface Prepared {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly answer: Extract<AnswerOf<"prepare">, { result: "accept" }>;
}

export interface Assembled {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly answer: AnswerOf<"assemble">;
}

/** A file part with an outline entry of its title. */
export function filePart(position: number, path: string, pages: number, title = `Part ${position}`): Part {
  return { position, origin: "file", title, outline: { title, level: 1 }, chunks: [{ path, from: 1, pages }] };
}
