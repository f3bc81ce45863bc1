import { join, resolve } from "node:path";
import { z } from "zod";

const megabytes = (megabyte: number) => megabyte * 1024 * 1024;
const byteCount = (megabyte: number) => z.coerce.number().int().min(1024).default(megabytes(megabyte));

/** `id:secret` pairs, newest first: the first signs, all verify, so that keys can be changed without breaking live links. */
const linkKeys = z
  .string()
  .transform((text) => text.split(",").map((pair) => pair.trim().split(":")))
  .pipe(z.array(z.tuple([z.string().regex(/^[a-z0-9]{1,16}$/), z.string().min(32)])).min(1));

/** `id:key` pairs, newest first: the first seals what is stored, all open it. A key is 32 bytes in hex (AES-256). */
const storageKeys = z
  .string()
  .transform((text) => text.split(",").map((pair) => pair.trim().split(":")))
  .pipe(z.array(z.tuple([z.string().regex(/^[a-z0-9]{1,16}$/), z.string().regex(/^[0-9a-f]{64}$/)])).min(1));

const LANE_SETTING = {
  concurrency: { name: "concurrency", unit: 1, most: 64 },
  leaseSeconds: { name: "leaseMs", unit: 1_000, most: 86_400 },
  renderSeconds: { name: "renderMsMax", unit: 1_000, most: 86_400 },
  durationSeconds: { name: "durationMsMax", unit: 1_000, most: 86_400 },
  ageSeconds: { name: "ageMsMax", unit: 1_000, most: 604_800 },
} as const;

/** `lane.setting=number` pairs, such as `archive.concurrency=4, oversize.leaseSeconds=900`. */
const laneChanges = z.string().transform((text, ctx) =>
  text
    .split(",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [, lane = "", setting = "", number = ""] = /^(\w+)\.(\w+)=(\d+(?:\.\d+)?)$/.exec(pair) ?? [];
      const known = Object.hasOwn(LANE_SETTING, setting) ? LANE_SETTING[setting as keyof typeof LANE_SETTING] : null;
      const value = Number(number);
      if (known === null || value <= 0 || value > known.most) {
        ctx.addIssue({ code: "custom", message: "not a lane setting" });
        return z.NEVER;
      }
      return { lane, setting: known.name, value: Math.round(value * known.unit) };
    }),
);

/** `kind=years` pairs, such as `board-book=10, onboarding-packet=6`. */
const retention = z.string().transform((text, ctx) => {
  const policy: Record<string, number> = {};
  for (const pair of text.split(",").filter((each) => each.trim() !== "")) {
    const [, kind = "", years = ""] = /^\s*([a-z-]{1,60})=(\d{1,3})\s*$/.exec(pair) ?? [];
    if (kind === "" || Number(years) < 1) ctx.addIssue({ code: "custom", message: "not a retention" });
    else policy[kind] = Number(years);
  }
  return policy;
});

const Environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  BINDERY_URL: z.url({ protocol: /^https?$/ }).default("http://localhost:3000"),
  BINDERY_DATA_DIR: z.string().min(1).default(".data"),
  BINDERY_WORKSPACE_DIR: z.string().min(1).optional(),
  BINDERY_SESSION_SECRET: z.string().min(32),
  BINDERY_LINK_KEYS: linkKeys,
  BINDERY_STORAGE_KEYS: storageKeys,
  BINDERY_LANES: laneChanges.default([]),
  BINDERY_STAGE_SECONDS: z.coerce.number().min(0).max(3_600).default(2),
  BINDERY_RETENTION: retention.default({}),
  BINDERY_CHILD_PATH: z.string().min(1).default(".build/worker/renderer/child.js"),
  BINDERY_UPLOAD_BYTES_MAX: byteCount(100),
  BINDERY_PACKET_BYTES_MAX: byteCount(150),
  BINDERY_WORKSPACE_BYTES_MAX: byteCount(2048),
  BINDERY_PREVIEW_MINUTES: z.coerce.number().int().min(1).max(120).default(15),
  BINDERY_LINK_MINUTES: z.coerce.number().int().min(1).max(60).default(5),
  BINDERY_LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

export interface Env {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly archiveDirectory: string;
  readonly previewDirectory: string;
  readonly sourceDirectory: string;
  readonly stagingDirectory: string;
  readonly incomingDirectory: string;
  readonly workspaceDirectory: string;
  readonly childPath: string;
  readonly sessionSecret: string;
  readonly linkKeys: readonly (readonly [id: string, secret: string])[];
  readonly storageKeys: readonly (readonly [id: string, key: string])[];
  /** What an operator changed of the lanes; durations in milliseconds. */
  readonly laneChanges: readonly { readonly lane: string; readonly setting: string; readonly value: number }[];
  /** A stage that took longer than this leaves its output for the next attempt. */
  readonly stageMsMin: number;
  /** Years by kind, where this deployment keeps artifacts for another time than the kind says. */
  readonly retention: Readonly<Record<string, number>>;
  readonly uploadBytesMax: number;
  readonly packetBytesMax: number;
  readonly workspaceBytesMax: number;
  readonly previewMsMax: number;
  readonly linkMsMax: number;
  readonly logLevel: "silent" | "error" | "warn" | "info" | "debug";
}

/** Returns the settings in `variables`. Throws one plain sentence that names every bad or missing variable, and never its value. */
export function parseEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const parsed = Environment.safeParse(variables);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new Error(`Bindery cannot start: set ${names.join(", ")} as described in .env.example.`);
  }
  const value = parsed.data;
  // The bundler would take in the whole project where it sees a path it cannot know.
  const data = resolve(/*turbopackIgnore: true*/ value.BINDERY_DATA_DIR);
  return {
    databaseUrl: value.DATABASE_URL,
    baseUrl: value.BINDERY_URL.replace(/\/$/, ""),
    archiveDirectory: join(data, "archive"),
    previewDirectory: join(data, "previews"),
    sourceDirectory: join(data, "sources"),
    stagingDirectory: join(data, "staging"),
    incomingDirectory: join(data, "incoming"),
    workspaceDirectory: resolve(/*turbopackIgnore: true*/ value.BINDERY_WORKSPACE_DIR ?? join(data, "workspaces")),
    childPath: resolve(/*turbopackIgnore: true*/ value.BINDERY_CHILD_PATH),
    sessionSecret: value.BINDERY_SESSION_SECRET,
    linkKeys: value.BINDERY_LINK_KEYS as Env["linkKeys"],
    storageKeys: value.BINDERY_STORAGE_KEYS as Env["storageKeys"],
    laneChanges: value.BINDERY_LANES,
    stageMsMin: value.BINDERY_STAGE_SECONDS * 1_000,
    retention: value.BINDERY_RETENTION,
    uploadBytesMax: value.BINDERY_UPLOAD_BYTES_MAX,
    packetBytesMax: value.BINDERY_PACKET_BYTES_MAX,
    workspaceBytesMax: value.BINDERY_WORKSPACE_BYTES_MAX,
    previewMsMax: value.BINDERY_PREVIEW_MINUTES * 60_000,
    linkMsMax: value.BINDERY_LINK_MINUTES * 60_000,
    logLevel: value.BINDERY_LOG_LEVEL,
  };
}

let cached: Env | undefined;

/** Returns the settings of this process, parsed once. */
export function readEnv(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

/** Returns one setting, for commands that need no more than that. */
export function readEnvironmentVariable(name: "BINDERY_CHILD_PATH"): string | undefined {
  return process.env[name];
}
