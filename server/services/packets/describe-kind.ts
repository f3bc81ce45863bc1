import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import type { PacketKind } from "@/server/packets/kind";
import { findKind, KINDS } from "@/server/packets/registry";

export interface KindSummary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export interface KindDescription extends KindSummary {
  /** JSON Schema (2020-12) of the payload as a person fills it in, with titles, help and examples: the form is made from it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly audiences: readonly string[];
  /** CSV tables a person may upload for it. */
  readonly tables: readonly {
    readonly name: string;
    readonly title: string;
    readonly columns: readonly string[];
    readonly rowsMax: number;
  }[];
  readonly retentionYears: number;
  readonly inputDays: number;
}

/** Returns every kind in the order people see them. */
export function listKinds(): KindSummary[] {
  return KINDS.map(summarise);
}

/** Returns what a form for this kind needs. Throws `unknown_kind`. */
export function describeKind(name: string): KindDescription {
  const kind = findKind(name);
  if (kind === null) throw new PacketFailure("unknown_kind");
  return {
    ...summarise(kind),
    schema: z.toJSONSchema(kind.payload, { io: "input", unrepresentable: "any" }) as Record<string, unknown>,
    audiences: kind.audiences,
    tables: kind.tables.map((table) => ({
      name: table.name,
      title: table.title,
      columns: table.columns.map((column) => column.title),
      rowsMax: table.rowsMax,
    })),
    retentionYears: kind.retention.years,
    inputDays: kind.inputDays,
  };
}

function summarise(kind: PacketKind): KindSummary {
  return { name: kind.name, title: kind.title, description: kind.description };
}
