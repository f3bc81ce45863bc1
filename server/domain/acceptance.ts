import type { Digest } from "./ids";

/** What a parser that did not write the file says about it. */
export interface FinishedFile {
  readonly bytes: number;
  readonly digest: Digest;
  readonly hasSignature: boolean;
  readonly endsProperly: boolean;
  readonly pages: number | null;
  readonly pagesRead: number;
  readonly encrypted: boolean;
  readonly title: string | null;
  readonly language: string | null;
  readonly hasIdentifier: boolean;
  readonly fontsNotEmbedded: readonly string[];
  readonly activeContent: readonly string[];
  readonly archivalClaim: string | null;
  readonly faults: readonly string[];
}

export interface AcceptanceRules {
  readonly pagesExpected: number;
  readonly pagesMin: number;
  readonly pagesMax: number;
  readonly bytesMax: number;
  readonly title: string;
  readonly language: string;
  /** Foreign pages may lack embedded fonts; our own may not. */
  readonly hasForeignPages: boolean;
}

export const CHECKS = [
  "signature",
  "structure",
  "every_page_readable",
  "page_count",
  "metadata",
  "fonts_embedded",
  "no_active_content",
  "not_encrypted",
  "size",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** One check of the publish gate, as stored on the archive record and shown to people. */
export interface Check {
  readonly name: CheckName;
  readonly passed: boolean;
  /** Counts and codes only. */
  readonly found: string;
}

/** Holds a finished file against the manifest and the kind's rules. Every check must pass before anything is published. [C257,C265-C268] */
export function acceptance(file: FinishedFile, rules: AcceptanceRules): readonly Check[] {
  const pages = file.pages ?? 0;
  const unembedded = file.fontsNotEmbedded.length;
  return [
    {
      name: "signature",
      passed: file.bytes > 0 && file.hasSignature && file.endsProperly,
      found: `${file.bytes} bytes`,
    },
    { name: "structure", passed: file.faults.length === 0, found: file.faults.slice(0, 5).join(", ") || "sound" },
    {
      name: "every_page_readable",
      passed: file.pages !== null && file.pagesRead === file.pages,
      found: `${file.pagesRead} of ${pages}`,
    },
    {
      name: "page_count",
      passed: pages === rules.pagesExpected && pages >= rules.pagesMin && pages <= rules.pagesMax,
      found: `${pages} of ${rules.pagesExpected} expected`,
    },
    {
      name: "metadata",
      passed: file.title === rules.title && file.language === rules.language && file.hasIdentifier,
      found: file.title === rules.title ? "title, language and identifier set" : "title or language differs",
    },
    {
      name: "fonts_embedded",
      passed: unembedded === 0 || rules.hasForeignPages,
      found: unembedded === 0 ? "all" : `${unembedded} not embedded, in pages received from others`,
    },
    {
      name: "no_active_content",
      passed: file.activeContent.length === 0,
      found: file.activeContent.length === 0 ? "none" : file.activeContent.join(", "),
    },
    { name: "not_encrypted", passed: !file.encrypted, found: file.encrypted ? "encrypted" : "open" },
    { name: "size", passed: file.bytes <= rules.bytesMax, found: `${file.bytes} bytes` },
  ];
}

/** True where nothing stands against publishing. */
export function isAccepted(checks: readonly Check[]): boolean {
  return checks.length === CHECKS.length && checks.every((check) => check.passed);
}
