import { findApiKeyByHash, touchApiKey } from "@/server/db/api-keys";
import type { Actor, MachineActor } from "@/server/domain/access";
import { hashOfSecret, machineOf } from "@/server/domain/api-key";
import { PacketFailure } from "@/server/domain/failure";
import type { Context } from "../context";

const SIGN_IN: Actor = { type: "system", name: "sign-in" };
/** Last use is noted this often: to read is not to write. */
const TOUCH_MS = 60_000;

/** Returns who a secret acts as. Missing, unknown, revoked and expired ones look alike: `unauthenticated`. */
export async function authenticateApiKey(context: Context, secret: string | null): Promise<MachineActor> {
  const hash = secret === null ? null : hashOfSecret(secret);
  if (hash === null) throw new PacketFailure("unauthenticated");
  const now = context.clock.now();
  const actor = await context.db.transact(SIGN_IN, async (tx) => {
    const key = await findApiKeyByHash(tx, hash);
    const machine = key === null ? null : machineOf(key, now);
    if (key === null || machine === null) return null;
    const isStale = key.lastUsedAt === null || now.getTime() - key.lastUsedAt.getTime() >= TOUCH_MS;
    if (isStale) await touchApiKey(tx, key.id, now);
    return machine;
  });
  if (actor === null) throw new PacketFailure("unauthenticated");
  return actor;
}
