import { PacketFailure } from "@/server/domain/failure";
import { boardBook } from "./board-book";
import { depotReport } from "./depot-report";
import type { PacketKind } from "./kind";
import { monthlyReport } from "./monthly-report";
import { onboardingPacket } from "./onboarding-packet";

/** Every kind of packet, one line each. A payload must have passed `kind.payload` before it is given to the kind's other functions. */
export const KINDS: readonly PacketKind[] = [onboardingPacket, monthlyReport, boardBook, depotReport];

/** Returns the kind of this name, or null: names come from outside and are text in the database. */
export function findKind(name: string): PacketKind | null {
  return KINDS.find((kind) => kind.name === name) ?? null;
}

/** Returns the kind of this name. Throws `unknown_kind` where there is none. */
export function readKind(name: string): PacketKind {
  const kind = findKind(name);
  if (kind === null) throw new PacketFailure("unknown_kind");
  return kind;
}
