import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEAD_LETTERS_AT_ONCE_MAX } from "@/server/domain/dead-letter";
import { LANE, LANES } from "@/server/domain/lane";
import { ATTEMPTS_MAX, RETRY_ELAPSED_MS_MAX, STAGE_ATTEMPTS_MAX } from "@/server/domain/retry-policy";
import { parseEnv } from "@/server/env";
import { BATCH_BYTES_MAX, SUBMISSION_BYTES_MAX } from "@/server/http/machine-schemas";
import { depotReport } from "@/server/packets/depot-report";
import { BATCH_ITEMS_MAX } from "@/server/services/packets/submit-batch";
import { LIVE_KEYS_MAX } from "@/server/services/tenants/create-api-key";
import { DISPOSALS_AT_ONCE } from "@/worker/maintenance/dispose-expired";
import { PREVIEW_PAGES_MAX } from "@/worker/preview-limits";
import { POOL_LIMITS } from "@/worker/renderer/limits";
import { SOURCE_LIMITS } from "@/worker/source-limits";

const MIB = 1024 * 1024;
const text = readFileSync("docs/limits.md", "utf8");
const env = parseEnv({
  DATABASE_URL: "postgresql://postgres@127.0.0.1/bindery",
  BINDERY_SESSION_SECRET: "s".repeat(32),
  BINDERY_LINK_KEYS: `k1:${"s".repeat(32)}`,
  BINDERY_STORAGE_KEYS: `k1:${"0".repeat(64)}`,
});

/** Returns the bound that the table gives for this. */
function boundOf(what: string): string {
  const row = text.split("\n").find((line) => line.startsWith(`| ${what} |`));
  return row?.split("|")[2]?.trim() ?? `${what} is not in the table`;
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}

function perLane(pick: (lane: (typeof LANE)[keyof typeof LANE]) => number, unitMs: number): number[] {
  return LANES.map((lane) => pick(LANE[lane]) / unitMs);
}

describe("the table of limits says what the code does", () => {
  it("for everything a request can bring: bytes, items, pages, rows [C72,C73]", () => {
    expect(boundOf("an uploaded file")).toContain(`${env.uploadBytesMax / MIB} MB`);
    expect(boundOf("the body of a submission, of a batch")).toBe(
      `${SUBMISSION_BYTES_MAX / MIB} MB, ${BATCH_BYTES_MAX / MIB} MB`,
    );
    expect(boundOf("submissions in one batch")).toBe(number(BATCH_ITEMS_MAX));
    const { pagesMax, pixelsMax } = SOURCE_LIMITS;
    expect(boundOf("pages of one file, pixels of one picture")).toBe(
      `${number(pagesMax)} and ${pixelsMax / 1e6} million`,
    );
    expect(boundOf("files of a book, rows of a depot's table")).toBe(
      `500 and ${number(depotReport.tables[0]?.rowsMax ?? 0)}`,
    );
  });

  it("for every activity of the workers: validation, retries, working files, publication, deletion [C72,C73,C133]", () => {
    const residents = POOL_LIMITS.parse.residentBytesMax;
    expect(boundOf("memory of a child")).toBe(
      `${residents.inspect / MIB} MiB, ${residents.assemble / MIB / 1024} GiB to assemble`,
    );
    const attempts = "attempts at a packet, failures of one stage, time over which they are spread";
    expect(boundOf(attempts)).toBe(`${ATTEMPTS_MAX}, ${STAGE_ATTEMPTS_MAX}, one hour`);
    expect(RETRY_ELAPSED_MS_MAX).toBe(3_600_000);
    expect(boundOf("working files of one host")).toBe(`${env.workspaceBytesMax / MIB / 1024} GB`);
    expect(boundOf("a finished packet")).toBe(`${env.packetBytesMax / MIB} MB`);
    expect(boundOf("artifacts disposed of in one transaction")).toBe(String(DISPOSALS_AT_ONCE));
    expect(boundOf("packets made at once by one worker process")).toBe("1, 2 and 1 per lane");
    expect(perLane((lane) => lane.concurrency, 1)).toEqual([1, 2, 1]);
    expect(boundOf("time for one request to a renderer")).toBe("20 s, 90 s, 10 min");
    expect(perLane((lane) => lane.renderMsMax, 1_000)).toEqual([20, 90, 600]);
    expect(boundOf("time for a whole attempt")).toBe("1 min, 15 min, 40 min");
    expect(perLane((lane) => lane.durationMsMax, 60_000)).toEqual([1, 15, 40]);
  });

  it("for what waits and what is kept [C72,C73]", () => {
    expect(boundOf("age of the oldest waiting packet before a lane closes")).toBe("30 s, 30 min, 4 h");
    expect(perLane((lane) => lane.ageMsMax, 1_000)).toEqual([30, 1_800, 14_400]);
    expect(boundOf("packets of a tenant that are not finished")).toBe("2,000");
    expect(readFileSync("prisma/schema.prisma", "utf8")).toMatch(/outstandingMax +Int +@default\(2000\)/);
    expect(boundOf("a preview")).toBe(
      `${PREVIEW_PAGES_MAX} pages, fewer while the record waits, ${env.previewMsMax / 60_000} minutes`,
    );
    expect(boundOf("a download link")).toBe(`${env.linkMsMax / 60_000} minutes`);
    expect(boundOf("API keys of a tenant in use")).toBe(String(LIVE_KEYS_MAX));
    expect(boundOf("dead letters redriven or discarded by one call")).toContain(String(DEAD_LETTERS_AT_ONCE_MAX));
  });
});
