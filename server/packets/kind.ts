import type { ReactElement } from "react";
import type { z } from "zod";
import type { Finding } from "@/server/domain/failure";
import type { Digest, SourceId } from "@/server/domain/ids";
import type { Manifest, TemplatePart } from "@/server/domain/manifest";

/** What an inspection found about a source; the only thing a kind may know of it. */
export interface SourceFacts {
  readonly sourceId: SourceId;
  readonly title: string;
  readonly mediaType: string;
  readonly digest: Digest;
  readonly bytes: number;
  readonly pages: number;
  /** Rows, where the source is a table. */
  readonly rows: number;
}

/** A place in a payload that names a source. `accepts` says what may stand there. */
export interface SourceReference {
  readonly path: readonly (string | number)[];
  readonly sourceId: string;
  readonly accepts: "pages" | "table";
}

export interface RuleContext {
  /** The calendar day in the tenant's zone, `YYYY-MM-DD`. Rules never read a clock. */
  readonly today: string;
}

/** The tenant's stationery. */
export interface Letterhead {
  readonly tenantName: string;
  /** `#rrggbb`, dark enough for text on white. */
  readonly accent: string;
  /** PNG bytes that we encoded ourselves, or null. */
  readonly logo: Uint8Array | null;
  readonly paper: "A4" | "LETTER";
}

/** Where a part landed, once known: for contents pages. Pages count from 1 in the finished packet. */
export interface PartLayout {
  readonly position: number;
  readonly firstPage: number;
  readonly pages: number;
}

/** Everything a template may print. There is no clock and no other source. [C249] */
export interface DocumentInput<Payload> {
  readonly payload: Payload;
  readonly letterhead: Letterhead;
  readonly revision: {
    readonly number: number;
    /** A few letters of the revision's id for the footer. */
    readonly shortId: string;
    /** `YYYY-MM-DD`: the day the revision was accepted. */
    readonly preparedOn: string;
  };
  readonly part: TemplatePart;
  /** The whole manifest in order, for contents pages. */
  readonly manifest: Manifest;
  /** What is known of the layout so far; empty on the first pass. */
  readonly layout: readonly PartLayout[];
  /** Rows of the manifest's tables by table name, already checked against the kind's row schema. */
  readonly tables: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * What a template gives back. `whole` is laid out in one pass. `rows` is for tables without end: the driver asks for windows of rows
 * (row `n`'s element carries the id `row-n`), keeps the full pages, and carries the rest over, so that cost grows with pages only.
 */
export type TemplateDocument =
  | { readonly flow: "whole"; readonly element: ReactElement }
  | { readonly flow: "rows"; readonly rows: number; window(from: number, to: number): ReactElement };

/** The lazily loaded side of a kind: the only place that knows the renderer. */
export interface TemplateModule<Payload> {
  readonly documents: Readonly<Record<string, DrawDocument<Payload>>>;
}

/** Written as a method so that kinds of different payloads fit one registry; whoever calls it has parsed the payload. */
export type DrawDocument<Payload> = { draw(input: DocumentInput<Payload>): TemplateDocument }["draw"];

/** A table that may come as a CSV file. Column names are matched without regard to case and punctuation. */
export interface KindTable {
  readonly name: string;
  readonly title: string;
  readonly row: z.ZodType;
  readonly columns: readonly { readonly field: string; readonly title: string; readonly aliases: readonly string[] }[];
  readonly rowsMax: number;
}

export interface Recipient {
  readonly name: string;
  readonly email: string;
}

export interface PacketKind<Payload = unknown> {
  /** kebab-case, as the folder; stored as text. */
  readonly name: string;
  readonly title: string;
  /** One sentence for people choosing a kind. */
  readonly description: string;
  /** What a revision of this kind must contain. The form is generated from it (`.meta({ title, description, examples })`). */
  readonly payload: z.ZodType<Payload>;
  readonly audiences: readonly [string, ...string[]];
  /** What the packet is about, without audience or revision: one line of `key:value` pairs. [C27,C29] */
  businessIdentity(payload: Payload): string;
  /** What people call this packet in lists. Content: never logged. */
  subject(payload: Payload): string;
  /** The school, depot, board or employee it concerns, for access scopes and search. */
  scope(payload: Payload): string;
  /** Period or date it is about, for archive and search: `YYYY-MM` or `YYYY-MM-DD`. */
  period(payload: Payload): string;
  rules(payload: Payload, context: RuleContext): readonly Finding[];
  sources(payload: Payload): readonly SourceReference[];
  /** The ordered parts. Called once at acceptance; the result is stored and never made again. */
  manifest(payload: Payload, audience: string, facts: (sourceId: string) => SourceFacts): Manifest;
  recipient(payload: Payload): Recipient | null;
  /** The instant by which it must be ready, in whole days after the named date; origin is the kind's own. */
  finishBy(payload: Payload, acceptedAt: Date): Date;
  /** BCP 47 tag for the document's language. */
  readonly language: string;
  watermark(payload: Payload, audience: string): string | null;
  readonly pages: { readonly min: number; readonly max: number };
  readonly retention: { readonly years: number };
  /** Days that the payload and its sources are kept after acceptance. */
  readonly inputDays: number;
  /** Raised when schema or rules change meaning. [C118] */
  readonly validationVersion: number;
  /** Raised when the look changes. */
  readonly templateVersion: number;
  readonly tables: readonly KindTable[];
  /** Labels for page numbers: "Page x of y" for reports, "x of y" for books; cover excluded where a kind says so. */
  readonly pageNumbers: { readonly style: "page-x-of-y" | "x-of-y"; readonly from: number };
  /** Template documents that print page numbers of other parts, and are drawn again once the layout is known. */
  readonly layoutDocuments: readonly string[];
  readonly samples: KindSamples<Payload>;
  template(): Promise<TemplateModule<Payload>>;
}

export interface KindSamples<Payload> {
  readonly typical: Sample<Payload>;
  /** The typical sample with its dates moved so that it could be submitted on `today` (`YYYY-MM-DD`): for seeds. */
  typicalOn(today: string): Sample<Payload>;
  readonly largest: Sample<Payload>;
  /** Must fail the schema or the rules; the reason is part of the sample. */
  readonly invalid: { readonly payload: unknown; readonly code: string };
}

/** A synthetic revision. Sources it names are made by `files`, in code, so that no binary is kept in the repository. */
export interface Sample<Payload> {
  readonly payload: Payload;
  /** The day on which the sample is valid, `YYYY-MM-DD`. */
  readonly today: string;
  readonly files: readonly SampleFile[];
}

export interface SampleFile {
  /** The id under which the payload names it; replaced by the real id when seeded. */
  readonly sourceId: string;
  readonly title: string;
  readonly mediaType: "application/pdf" | "image/png" | "image/jpeg" | "text/csv";
  /** Deterministic bytes. */
  make(): Promise<Uint8Array>;
}

/** Returns the kind as given, with its payload type checked throughout. */
export function definePacketKind<Payload>(kind: PacketKind<Payload>): PacketKind<Payload> {
  return kind;
}
