import { z } from "zod";

/** The building blocks of payload schemas: what a person or a machine may write into a packet. Every text is trimmed and NFC. */

/** Characters that no page can show: controls, unpaired surrogates, unassigned and private ones, and invisible format marks. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Cf}\u2028\u2029]/u;
const UNPRINTABLE_IN_PROSE = /(?!\n)[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Cf}\u2028\u2029]/u;

/** One line of text, from `min` to `max` characters. Line breaks and other control characters are refused by name. */
export function line(max: number, min = 1) {
  return z
    .string({ error: "Fill this in." })
    .overwrite(tidy)
    .min(min, { error: min === 1 ? "Fill this in." : `Write at least ${min} characters.` })
    .max(max, { error: `Write at most ${max} characters.` })
    .refine((value) => !UNPRINTABLE.test(value), { error: (issue) => unprintable(issue.input, UNPRINTABLE) });
}

/** Text that may run over several lines. Windows and old Macintosh line ends become one kind. */
export function prose(max: number, min = 1) {
  return z
    .string({ error: "Fill this in." })
    .overwrite((value) => tidy(value.replace(/\r\n?/g, "\n").replaceAll("\t", " ")))
    .min(min, { error: min === 1 ? "Fill this in." : `Write at least ${min} characters.` })
    .max(max, { error: `Write at most ${max} characters.` })
    .refine((value) => !UNPRINTABLE_IN_PROSE.test(value), {
      error: (issue) => unprintable(issue.input, UNPRINTABLE_IN_PROSE),
    });
}

/** A short name that another system gave to a thing. It holds no space or colon, so that identities stay unambiguous. */
export function reference() {
  return line(60).regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._/-]*$/u, {
    error: "Use letters, digits, dots, dashes and slashes only.",
  });
}

/** A calendar day that exists, `YYYY-MM-DD`, of the years 1900 to 2199. It never becomes an instant. [C123] */
export function day() {
  return z.iso
    .date({ error: "Write a date that exists, as YYYY-MM-DD." })
    .refine((value) => /^(19|20|21)/.test(value), { error: "Write a year from 1900 to 2199." });
}

/** A month, `YYYY-MM`. */
export function period() {
  return z
    .string({ error: "Choose a month." })
    .regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/, { error: "Write a month as YYYY-MM." });
}

/** An amount of money as a decimal string with two places, never a floating number. "1200" becomes "1200.00". */
export function money() {
  return z
    .string({ error: "Write an amount such as 1200.00." })
    .overwrite((value) => twoPlaces(value.trim()))
    .regex(/^(0|[1-9]\d{0,11})\.\d\d$/, {
      error: "Write an amount such as 1200.00: digits, a dot, two more digits, no spaces.",
    });
}

/** A weight in kilograms as a decimal string with up to three places. */
export function kilograms() {
  return z
    .string({ error: "Write a weight such as 812.5." })
    .trim()
    .regex(/^(0|[1-9]\d{0,8})(\.\d{1,3})?$/, { error: "Write a weight such as 812.5." });
}

/** A share from 0 to 100 with at most one decimal. */
export function percent() {
  return z
    .number({ error: "Write a number from 0 to 100." })
    .min(0, { error: "A percentage is at least 0." })
    .max(100, { error: "A percentage is at most 100." })
    .multipleOf(0.1, { error: "Write at most one decimal." });
}

/** A whole number from `min` to `max`. */
export function count(max: number, min = 0) {
  return z
    .int({ error: "Write a whole number." })
    .min(min, { error: `Write a number of at least ${min}.` })
    .max(max, { error: `Write a number of at most ${max}.` });
}

const SOURCE_ID = /^[A-Za-z0-9_-]{1,80}$/;

/**
 * The id of an uploaded file or of a document in the library. An address, a path or a name is refused as what it is: it may mean other
 * bytes tomorrow. [C14]
 */
export function sourceId() {
  return z
    .string({ error: "Choose a file." })
    .min(1, { error: "Choose a file." })
    .refine((value) => value === "" || SOURCE_ID.test(value), {
      error: UNVERSIONED,
      params: { code: "source_unversioned" },
    })
    .meta({ pattern: SOURCE_ID.source });
}

/** What to do about a source that is not pinned down. */
export const UNVERSIONED = "Name one fixed upload. Upload the file, then use its id.";

/** An e-mail address, in small letters. [CASE-46] */
export function email() {
  return z
    .string({ error: "Write an e-mail address." })
    .trim()
    .toLowerCase()
    .max(254, { error: "Write at most 254 characters." })
    .email({ error: "Write an e-mail address such as name@example.org." });
}

function tidy(value: string): string {
  return value.normalize("NFC").trim();
}

function twoPlaces(value: string): string {
  if (/^\d+$/.test(value)) return `${value}.00`;
  return /^\d+\.\d$/.test(value) ? `${value}0` : value;
}

function unprintable(value: unknown, pattern: RegExp): string {
  const found = typeof value === "string" ? pattern.exec(value)?.[0] : undefined;
  const code = found?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0") ?? "0000";
  return `This holds a character that cannot be printed (U+${code}). Delete it and type the text again.`;
}
