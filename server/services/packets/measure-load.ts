import type { Transaction } from "@/server/db/client";
import { oldestReadyMs, sumOutstanding } from "@/server/db/jobs";
import { lockTenant } from "@/server/db/tenants";
import { hasWorkspaceRoom } from "@/server/db/workers";
import { admit } from "@/server/domain/admission";
import { PacketFailure } from "@/server/domain/failure";
import type { TenantId } from "@/server/domain/ids";
import type { LaneName } from "@/server/domain/lane";
import type { Context } from "../context";

/** How much waits, as far as admission depends on it. */
export interface Load {
  /**
   * Takes one more job of this weight into the lane, and returns what the tenant had outstanding before it, in weight. Throws
   * `too_many_outstanding`, `lane_closed` or `workspace_full`. [C53,C54,C55]
   */
  take(lane: LaneName, weight: number): number;
}

/** Submissions of one tenant that may be under way at once without a lock, and what one batch may add meanwhile. */
const AT_ONCE_MAX = 200;
const WORKER_SILENCE_MS = 15_000;

/** Measures the load once for `count` submissions of one tenant into these lanes; each that is taken counts for those after it. */
export async function measureLoad(
  context: Context,
  tx: Transaction,
  tenant: { readonly id: string; readonly outstandingMax: number },
  { lanes, count }: { readonly lanes: Iterable<LaneName>; readonly count: number },
): Promise<Load> {
  const now = context.clock.now();
  let outstanding = await sumExactly(tx, tenant, count);
  const hasRoom = await hasWorkspaceRoom(tx, new Date(now.getTime() - WORKER_SILENCE_MS));
  const ages = new Map<LaneName, number>();
  for (const lane of new Set(lanes)) ages.set(lane, await oldestReadyMs(tx, lane, now));
  return {
    take: (lane, weight) => {
      const admission = admit({
        lane: context.lanes[lane],
        outstanding: outstanding.count,
        outstandingMax: tenant.outstandingMax,
        oldestReadyMs: ages.get(lane) ?? 0,
        hasRoom,
      });
      if (!admission.admitted) {
        throw new PacketFailure(admission.code, { retryAfterSeconds: admission.retryAfterSeconds });
      }
      const before = outstanding.weight;
      outstanding = { count: outstanding.count + 1, weight: before + weight };
      return before;
    },
  };
}

/** Near the tenant's limit its submissions are counted one after another, so that no burst gets past it. [C53] */
async function sumExactly(
  tx: Transaction,
  tenant: { readonly id: string; readonly outstandingMax: number },
  count: number,
): Promise<{ count: number; weight: number }> {
  const tenantId = tenant.id as TenantId;
  const sum = await sumOutstanding(tx, tenantId);
  const isFar = sum.count + count + AT_ONCE_MAX < tenant.outstandingMax;
  if ((count === 1 && sum.count >= tenant.outstandingMax) || isFar) return sum;
  await lockTenant(tx, tenantId);
  return sumOutstanding(tx, tenantId);
}
