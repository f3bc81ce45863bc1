import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { breachesOfImportLaw } from "./import-law.mjs";
import { breachesOfSourceLaw } from "./source-law.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bindery-law-"));
  for (const name of PACKAGES) write(`node_modules/${name}/index.js`, "export {};\n");
  for (const path of HARMLESS) write(path, "export const here = 1;\n");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** One module per zone, for the planted imports to point at. */
const HARMLESS = [
  "server/domain/job.ts",
  "server/ports/archive.ts",
  "server/ports/clock.ts",
  "server/adapters/archive/filesystem.ts",
  "server/adapters/mailer/smtp.ts",
  "server/packets/kind.ts",
  "server/packets/registry.ts",
  "server/packets/monthly-report/index.ts",
  "server/packets/monthly-report/template.tsx",
  "server/packets/depot-report/index.ts",
  "server/db/client.ts",
  "server/db/jobs.ts",
  "server/db/generated/client.ts",
  "server/queue/boss.ts",
  "server/services/packets/submit-packet.ts",
  "server/api/root.ts",
  "server/auth/options.ts",
  "server/wiring.ts",
  "worker/run-attempt.ts",
  "worker/stages/index.ts",
  "worker/stages/fetch.ts",
  "worker/renderer/pool.ts",
  "worker/pdf/merge.ts",
  "app/page.tsx",
  "client/poll.ts",
  "server/services/test-context.ts",
  "worker/consume.test.ts",
];

const PACKAGES = ["@react-pdf/renderer", "@prisma/client", "pg-boss", "pino", "next-auth", "react", "pdf-lib"];

/** A planted import, and the rule that must refuse it. */
const PLANTED: readonly (readonly [from: string, to: string, rule: string])[] = [
  ["server/domain/lane.ts", "@/server/db/jobs", "zone-domain"],
  ["server/domain/lane.ts", "node:fs", "pure-domain"],
  ["server/domain/lane.ts", "pino", "pure-domain"],
  ["server/ports/mailer.ts", "@/server/adapters/mailer/smtp", "zone-ports"],
  ["server/adapters/archive/s3.ts", "@/server/db/client", "zone-adapters"],
  ["server/packets/fields.ts", "@/server/db/jobs", "zone-packets"],
  ["server/packets/depot-report/rules.ts", "@/server/packets/registry", "kinds-apart"],
  ["server/packets/depot-report/rules.ts", "../monthly-report/index", "kinds-apart"],
  ["server/packets/depot-report/rules.ts", "@react-pdf/renderer", "home-react-pdf-renderer"],
  ["server/packets/depot-report/index.ts", "../monthly-report/template", "template-lazily"],
  ["server/db/artifacts.ts", "@/server/services/packets/submit-packet", "zone-db"],
  ["server/queue/enqueue.ts", "@/server/db/jobs", "zone-queue"],
  ["server/services/links/issue.ts", "@/server/adapters/archive/filesystem", "zone-services"],
  ["server/services/links/issue.ts", "@/worker/run-attempt", "zone-services"],
  ["server/services/links/issue.ts", "@/server/db/generated/client", "generated-client"],
  ["server/services/links/issue.ts", "@prisma/client", "home-prisma"],
  ["server/services/links/issue.ts", "pg-boss", "home-pg-boss"],
  ["server/services/links/issue.ts", "next-auth", "home-next"],
  ["server/services/links/issue.ts", "react", "home-react"],
  ["server/api/packets.ts", "@/server/db/jobs", "zone-api"],
  ["server/wiring.ts", "@/server/api/root", "zone-wiring"],
  ["server/telemetry/log.ts", "@/server/db/jobs", "zone-telemetry"],
  ["worker/settle.ts", "@/server/services/packets/submit-packet", "zone-worker"],
  ["worker/settle.ts", "@/worker/pdf/merge", "zone-worker"],
  ["worker/settle.ts", "pdf-lib", "home-pdf-parsers"],
  ["worker/stages/verify.ts", "./fetch", "stages-apart"],
  ["worker/stages/verify.ts", "./index", "stages-apart"],
  ["worker/renderer/child.ts", "@/server/db/jobs", "zone-renderer"],
  ["worker/pdf/outline.ts", "@/server/queue/boss", "zone-pdf"],
  ["app/ops/page.tsx", "@/server/db/jobs", "zone-app"],
  ["app/ops/page.tsx", "@/worker/pdf/merge", "zone-app"],
  ["client/submit.ts", "@/server/domain/job", "zone-client"],
  ["worker/consume.ts", "@/server/services/test-context", "tests-apart"],
  ["worker/consume.ts", "./consume.test", "tests-apart"],
];

describe("the import law", () => {
  it("finds nothing in a tree that keeps it, and says how much it read", async () => {
    write("server/services/links/issue.ts", 'import "@/server/db/jobs";\nimport "@/server/domain/job";\n');
    write("server/packets/monthly-report/index.ts", 'export const template = () => import("./template");\n');
    const { breaches, modules } = await breachesOfImportLaw(root);
    expect(breaches).toEqual([]);
    expect(modules).toBeGreaterThanOrEqual(HARMLESS.length);
  });

  it.each(PLANTED)("refuses %s importing %s (%s)", async (from, to, rule) => {
    write(from, `import * as planted from "${to}";\nexport const used = planted;\n`);
    const { breaches } = await breachesOfImportLaw(root);
    expect(breaches.filter((line) => line.startsWith(`${rule}: ${from} -> `))).toHaveLength(1);
  });

  it("refuses a cycle, but not one that only types close", async () => {
    write("server/domain/a.ts", 'import { b } from "./b";\nexport const a = () => b;\n');
    write("server/domain/b.ts", 'import { a } from "./a";\nexport const b = () => a;\n');
    write("server/domain/c.ts", 'import { d } from "./d";\nexport type C = 1;\nexport const c = d;\n');
    write("server/domain/d.ts", 'import type { C } from "./c";\nexport const d: C = 1;\n');
    const { breaches } = await breachesOfImportLaw(root);
    expect(breaches.filter((line) => line.startsWith("no-cycles"))).toEqual([
      "no-cycles: server/domain/a.ts -> server/domain/b.ts",
    ]);
  });

  it("refuses an import that leads nowhere", async () => {
    write("server/domain/a.ts", 'import "./gone";\n');
    expect((await breachesOfImportLaw(root)).breaches).toEqual(["not-found: server/domain/a.ts -> ./gone"]);
  });

  it.each(["utils", "util", "helpers", "common", "lib", "misc", "shared", "types"])(
    "refuses %s as the name of a file or folder",
    async (name) => {
      write(`server/domain/${name}.ts`, "export const a = 1;\n");
      write(`server/services/${name}/a.ts`, "export const a = 1;\n");
      const { breaches } = await breachesOfImportLaw(root);
      expect(breaches.filter((line) => line.startsWith("vague-name"))).toHaveLength(2);
    },
  );

  it("keeps renderer and PDF code out of the web process, however long the chain [C58]", async () => {
    write("app/api/v1/route.ts", 'import "@/server/services/packets/submit-packet";\n');
    write("server/services/packets/submit-packet.ts", 'import "@/server/packets/registry";\n');
    write("server/packets/registry.ts", 'import "./monthly-report";\n');
    write("server/packets/monthly-report/index.ts", 'import "./template";\n');
    write("server/packets/monthly-report/template.tsx", 'import "@react-pdf/renderer";\n');
    const { breaches } = await breachesOfImportLaw(root);
    expect(breaches.filter((line) => line.startsWith("web-without-rendering"))).toEqual([
      expect.stringMatching(/app\/api\/v1\/route\.ts -> .* -> node_modules\/@react-pdf\/renderer/),
    ]);
  });

  it("keeps mail, webhooks, database and sockets out of the process that holds foreign bytes [C279]", async () => {
    write("worker/renderer/child.ts", 'import "@/worker/pdf/merge";\n');
    write("worker/pdf/merge.ts", 'import "node:https";\nimport "@/server/adapters/mailer/smtp";\n');
    const { breaches } = await breachesOfImportLaw(root);
    expect(breaches.filter((line) => line.startsWith("renderer-without-a-way-out"))).toEqual([
      expect.stringMatching(/https$/),
      expect.stringMatching(/server\/adapters\/mailer\/smtp\.ts$/),
    ]);
  });

  it("is kept by this repository [C58,C279]", async () => {
    const { breaches, modules } = await breachesOfImportLaw(resolve("."));
    expect(breaches).toEqual([]);
    expect(modules).toBeGreaterThan(300);
  });
});

describe("the source law", () => {
  it("finds nothing where each thing is done in its one place, and in comments", () => {
    write("server/env.ts", "export const env = process.env;\n");
    write("server/adapters/clock/system.ts", "export const now = () => new Date();\n");
    write("worker/workspace.ts", "mkdtemp(root);\n");
    write("worker/consume.ts", "// never Date.now() here\n/** nor process.env */\nexport const at = new Date(0);\n");
    expect(breachesOfSourceLaw(root)).toEqual([]);
  });

  it.each([
    ["process.env.SECRET", "environment-read-once"],
    ["Date.now()", "one-clock"],
    ["new Date()", "one-clock"],
  ])("refuses %s elsewhere", (code, rule) => {
    write("worker/consume.ts", `export const a = 1;\nexport const b = ${code};\n`);
    expect(breachesOfSourceLaw(root)).toEqual([`${rule}: worker/consume.ts:2`]);
  });

  it("lets one module make temporary paths, by the operating system's own call [C202,C224]", () => {
    write("worker/stages/fetch.ts", "const folder = await mkdtemp(prefix);\n");
    write("server/services/sources/receive.ts", "const folder = os.tmpdir();\n");
    expect(breachesOfSourceLaw(root)).toEqual([
      "one-maker-of-temporary-paths: server/services/sources/receive.ts:1",
      "one-maker-of-temporary-paths: worker/stages/fetch.ts:1",
    ]);
  });

  it("is kept by this repository [C202,C224]", () => {
    expect(breachesOfSourceLaw(resolve("."))).toEqual([]);
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
