import { parseMarker, type SeenWorkspace, sweepVerdict, WORKSPACE_NAME } from "@/server/domain/workspace";
import type { Log } from "@/server/telemetry/log";
import { HeldDirectory } from "../held-directory";
import { MARKER_NAME } from "../workspace";

export interface SweepSetting {
  readonly root: string;
  readonly now: Date;
  /** How long an abandoned directory is left alone: longer than any lease. */
  readonly thresholdMs: number;
  /** True while an attempt may still be using its directory. Where that cannot be told, it must throw. */
  readonly isLive: (jobId: string, attempt: number) => Promise<boolean>;
  readonly log: Log;
}

export interface Swept {
  readonly swept: number;
  readonly young: number;
  readonly live: number;
  readonly notOurs: number;
  readonly failed: number;
  /** How long after the threshold the latest of them went, and how many went after their own `eraseBy`. [C317] */
  readonly lagMsMax: number;
  readonly overdue: number;
  /** Whose directories went, so that their rows can say so. */
  readonly gone: readonly { readonly id: string; readonly attempt: number }[];
}

/**
 * Removes directories that killed workers left: only those with our marker, untouched for longer than the threshold, of no live attempt.
 * It follows no link and logs ids only. Can run twice, beside live work and beside itself. [C296,C301,C302,C303,C304,C316]
 */
export async function sweepWorkspaces(setting: SweepSetting): Promise<Swept> {
  const count = { swept: 0, young: 0, live: 0, notOurs: 0, failed: 0, lagMsMax: 0, overdue: 0 };
  const gone: { id: string; attempt: number }[] = [];
  const root = await HeldDirectory.open(setting.root);
  try {
    for (const entry of await root.entries()) {
      const name = entry.name.toString("latin1");
      const outcome = WORKSPACE_NAME.test(name) ? await sweepOne(root, name, setting) : { verdict: "notOurs" as const };
      count[outcome.verdict] += 1;
      if (outcome.verdict !== "swept") continue;
      gone.push(outcome.whose);
      count.lagMsMax = Math.max(count.lagMsMax, outcome.lagMs);
      if (outcome.isOverdue) count.overdue += 1;
    }
  } finally {
    await root.close();
  }
  return { ...count, gone };
}

type Outcome =
  | { readonly verdict: "young" | "live" | "notOurs" | "failed" }
  | {
      readonly verdict: "swept";
      readonly lagMs: number;
      readonly isOverdue: boolean;
      readonly whose: Swept["gone"][number];
    };

async function sweepOne(root: HeldDirectory, name: string, setting: SweepSetting): Promise<Outcome> {
  const { now, thresholdMs, isLive, log } = setting;
  const { dev } = await root.stat();
  const seen = await seenWorkspace(root, name);
  if (seen === null) return { verdict: "notOurs" };
  const owner = process.getuid?.() ?? 0;
  const verdict = sweepVerdict(seen, { now, thresholdMs, owner, device: dev });
  if (verdict === "young") return { verdict };
  if (seen.marker === null && (await removeUnbegun(root, name, seen, { ...setting, owner, device: dev }))) {
    return { verdict: "notOurs" };
  }
  if (verdict === "not_ours" || seen.marker === null) return { verdict: "notOurs" };
  const { jobId, attempt, eraseBy } = seen.marker;
  const lagMs = now.getTime() - seen.touchedAt.getTime() - thresholdMs;
  try {
    if (await isLive(jobId, attempt)) return { verdict: "live" };
    await root.removeTree(name, MARKER_NAME);
  } catch {
    log.error({ event: "workspace_not_swept", jobId, attempt, lagMs });
    return { verdict: "failed" };
  }
  log.info({ event: "workspace_swept", jobId, attempt, lagMs });
  return { verdict: "swept", lagMs, isOverdue: now > eraseBy, whose: { id: jobId, attempt } };
}

/** Whose it would be, were there anything in it: a directory without content belongs to no attempt. */
const NOBODYS = { jobId: "", attempt: 0, eraseBy: new Date(0) };

/**
 * A worker that is killed as it opens or has just emptied a directory leaves one with nothing in it, or with a marker of no bytes. Nothing can
 * be lost with it, so it goes, once it is older than any lease; without a threshold it may be one that is being opened. [C296]
 */
async function removeUnbegun(
  root: HeldDirectory,
  name: string,
  seen: SeenWorkspace,
  rule: Parameters<typeof sweepVerdict>[1] & Pick<SweepSetting, "log">,
): Promise<boolean> {
  const couldBeOurs = sweepVerdict({ ...seen, marker: NOBODYS }, rule) === "abandoned";
  if (!couldBeOurs || rule.thresholdMs <= 0) return false;
  const isGone = await root.removeUnbegun(name, MARKER_NAME).catch(() => false);
  if (isGone) rule.log.info({ event: "workspace_unbegun_removed" });
  return isGone;
}

/** What is there under this name; null where it is gone, is no directory, or may not be entered. */
async function seenWorkspace(root: HeldDirectory, name: string): Promise<SeenWorkspace | null> {
  const directory = await root.enter(name).catch(() => null);
  if (directory === null) return null;
  try {
    const found = await directory.stat();
    const { text, touchedMs } = await markerIn(directory);
    return {
      name,
      isDirectory: found.isDirectory(),
      owner: found.uid,
      device: found.dev,
      mode: found.mode,
      touchedAt: new Date(Math.max(found.mtimeMs, touchedMs)),
      marker: text === null ? null : parseMarker(name, text),
    };
  } finally {
    await directory.close();
  }
}

const MARKER_BYTES_MAX = 1024;

/** A marker is a small file that we wrote; a link, a pipe or somebody else's file is none. */
async function markerIn(directory: HeldDirectory): Promise<{ text: string | null; touchedMs: number }> {
  const handle = await directory.openFile(MARKER_NAME).catch(() => null);
  if (handle === null) return { text: null, touchedMs: 0 };
  try {
    const found = await handle.stat();
    const isOurs = found.isFile() && found.uid === process.getuid?.() && found.size <= MARKER_BYTES_MAX;
    return { text: isOurs ? await handle.readFile("utf8") : null, touchedMs: found.mtimeMs };
  } finally {
    await handle.close();
  }
}
