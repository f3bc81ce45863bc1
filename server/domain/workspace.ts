import { z } from "zod";

/** What a workspace's marker says: that it is ours, which one it is, and whose. No path, name or title. */
export interface WorkspaceMarker {
  readonly jobId: string;
  readonly attempt: number;
  /** When its content must be gone at the latest; fixed when the job was accepted. */
  readonly eraseBy: Date;
}

/** 128 random bits: nobody can guess the name of another's directory, and nothing can be read from it. [C206,C207] */
export const WORKSPACE_NAME = /^[0-9a-f]{32}$/;

const Marker = z.strictObject({
  service: z.literal("bindery"),
  workspace: z.string().regex(WORKSPACE_NAME),
  jobId: z.string().regex(/^[a-z_0-9]{1,64}$/),
  attempt: z.int().min(0),
  eraseBy: z.iso.datetime(),
});

/** Returns the text of the marker for the workspace called `name`. */
export function formatMarker(name: string, { jobId, attempt, eraseBy }: WorkspaceMarker): string {
  return JSON.stringify({ service: "bindery", workspace: name, jobId, attempt, eraseBy: eraseBy.toISOString() });
}

/** Returns what the marker in the directory `name` says, or null where it is not a marker of ours for this very directory. */
export function parseMarker(name: string, text: string): WorkspaceMarker | null {
  const marker = Marker.safeParse(jsonOf(text));
  if (!marker.success || marker.data.workspace !== name) return null;
  return { ...marker.data, eraseBy: new Date(marker.data.eraseBy) };
}

/** A directory as the sweeper sees it, without having followed any link. */
export interface SeenWorkspace {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly owner: number;
  readonly device: number;
  readonly mode: number;
  /** The latest sign of life in it. */
  readonly touchedAt: Date;
  readonly marker: WorkspaceMarker | null;
}

export interface SweepRule {
  readonly now: Date;
  readonly thresholdMs: number;
  /** The account that the workers run under, and the device that the workspaces are on. */
  readonly owner: number;
  readonly device: number;
}

/** `abandoned` may be removed unless a live attempt holds it; the others stay, whatever else is known of them. */
export type SweepVerdict = "abandoned" | "young" | "not_ours";

/**
 * Returns whether a directory may be swept: only one that carries our marker for itself, belongs to our account on our device, is
 * private, and has not been touched for longer than the threshold. In doubt it stays. [C301,C302]
 */
export function sweepVerdict(seen: SeenWorkspace, rule: SweepRule): SweepVerdict {
  const isOurs =
    seen.isDirectory &&
    WORKSPACE_NAME.test(seen.name) &&
    seen.marker !== null &&
    seen.owner === rule.owner &&
    seen.device === rule.device &&
    (seen.mode & 0o077) === 0;
  if (!isOurs) return "not_ours";
  return rule.now.getTime() - seen.touchedAt.getTime() > rule.thresholdMs ? "abandoned" : "young";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
