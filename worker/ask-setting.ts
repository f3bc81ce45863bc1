import type { AskSetting } from "./renderer/pool";
import type { Pulse } from "./tools";
import type { Work } from "./work";

/**
 * Returns how a stage asks a renderer: for this tenant, within the lane's deadline and what is left of the attempt's budget, and with
 * progress that renews the lease. [C171,C172,C270]
 */
export function askSetting(work: Work, pulse: Pulse): AskSetting {
  return {
    tenantId: work.tenantId,
    deadlineMs: Math.max(1, Math.min(work.renderMsMax, work.msLeft())),
    signal: pulse.signal,
    onProgress: pulse.progress,
  };
}
