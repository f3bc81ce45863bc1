import type { AskSetting } from "./renderer/pool";
import type { Pulse } from "./tools";
import type { Work } from "./work";

/** Returns how a stage asks a renderer: for this tenant, within the lane's deadline, and with progress that renews the lease. [C171,C172] */
export function askSetting(work: Work, pulse: Pulse): AskSetting {
  return {
    tenantId: work.tenantId,
    deadlineMs: work.renderMsMax,
    signal: pulse.signal,
    onProgress: pulse.progress,
  };
}
