import type { PageMapEntry, Publication } from "@/server/domain/artifact";
import { type Digest, digestOf, type TenantId } from "@/server/domain/ids";
import type { Fidelity } from "@/server/domain/job";
import type { LaneName } from "@/server/domain/lane";
import type { FilePart, Manifest } from "@/server/domain/manifest";
import { canonicalDigest } from "@/server/domain/request";
import type { Letterhead, PacketKind } from "@/server/packets/kind";
import type { Chunk, Disclosure } from "./renderer/requests";
import type { Workspace } from "./workspace";

/** One attempt's input: the stored request, frozen. Nothing in it changes while the attempt runs. [C7,C117] */
export interface Work {
  readonly jobId: string;
  readonly tenantId: TenantId;
  readonly attempt: number;
  readonly kind: PacketKind;
  readonly fidelity: Fidelity;
  /** How many pages it may have; null for a copy of the record, which is never shortened. [C42,C235] */
  readonly pagesMax: number | null;
  readonly audience: string;
  readonly lane: LaneName;
  /** The renderer's deadline for one request in this lane. [C171] */
  readonly renderMsMax: number;
  /** What is left of the attempt's budget, in milliseconds; below 0 once it is used up. [C270] */
  msLeft(): number;
  readonly payload: unknown;
  readonly manifest: Manifest;
  /** Digests of payload and manifest as they were accepted. */
  readonly accepted: { readonly payload: string; readonly manifest: string };
  readonly letterhead: Letterhead;
  readonly revision: {
    readonly number: number;
    readonly shortId: string;
    /** The only instant in the bytes. */
    readonly createdAt: Date;
    readonly preparedOn: string;
    /** 32 hex digits, fixed by the revision. */
    readonly nonce: string;
  };
  readonly strictSources: boolean;
  readonly title: string;
  /** The calendar day in the tenant's zone now, for rules that are checked again. */
  readonly today: string;
  readonly workspace: Workspace;
  readonly products: Products;
}

export interface PreparedFile {
  readonly path: string;
  readonly pages: number;
  readonly disclosures: readonly Disclosure[];
}

export interface Assembled {
  readonly path: string;
  readonly pages: number;
  readonly pageMap: readonly PageMapEntry[];
}

/** What the stages have made so far. Each stage fills its own field and reads those before it. */
export interface Products {
  readonly files: Map<number, PreparedFile>;
  readonly tables: Map<string, string>;
  readonly chunks: Map<number, readonly Chunk[]>;
  stampPath: string | null;
  assembled: Assembled | null;
  verified: Publication | null;
}

/** Returns empty products for a new attempt: nothing of an earlier one is in them. [C204] */
export function noProducts(): Products {
  return { files: new Map(), tables: new Map(), chunks: new Map(), stampPath: null, assembled: null, verified: null };
}

/**
 * Returns the digest of all that the pages show beside payload and manifest, which a tenant may change while a job waits: what was made
 * under another letterhead is another document.
 */
export function surroundingsOf({ letterhead, revision, fidelity, strictSources, title }: Work): Digest {
  const logo = letterhead.logo === null ? null : digestOf(letterhead.logo);
  const createdAt = revision.createdAt.toISOString();
  return canonicalDigest({
    ...{ letterhead: { ...letterhead, logo }, revision: { ...revision, createdAt }, fidelity, strictSources, title },
  });
}

/** Returns the file parts that this work prints, in order. */
export function filePartsOf(work: Work): FilePart[] {
  return work.manifest.parts.filter((part) => part.type === "file");
}
