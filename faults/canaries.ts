/** Words that only content holds: none of them may be seen anywhere outside of it. */
export const CANARIES = {
  school: "Canarina Zeisig School 7719",
  person: "Canarina Zeisig",
  mail: "canary-7719@example.org",
  file: "canary-minutes-7719",
  place: "Canary Wharf 7719",
  customer: "Canary Freight 7719",
} as const;

/** Returns the canaries that `text` holds, as they are or as base64, hex or part of a URL. */
export function canariesIn(text: string): string[] {
  const folded = text.toLowerCase();
  return Object.entries(CANARIES)
    .filter(([, canary]) => FORMS[canary]?.some(({ form, isFolded }) => (isFolded ? folded : text).includes(form)))
    .map(([name]) => name);
}

interface Form {
  readonly form: string;
  readonly isFolded: boolean;
}

const FORMS: Readonly<Record<string, readonly Form[]>> = Object.fromEntries(
  Object.values(CANARIES).map((canary) => [canary, formsOf(canary)]),
);

function formsOf(canary: string): Form[] {
  const bytes = Buffer.from(canary);
  const folded = [canary, encodeURIComponent(canary), canary.replaceAll(" ", "+"), bytes.toString("hex")];
  return [
    ...folded.map((form) => ({ form: form.toLowerCase(), isFolded: true })),
    // Where the canary begins within a group of three bytes decides how it looks; first and last group depend on its neighbours.
    ...[0, 1, 2].map((offset) => ({ form: base64At(bytes, offset), isFolded: false })),
  ];
}

function base64At(bytes: Buffer, offset: number): string {
  const from = (3 - offset) % 3;
  const whole = bytes.subarray(from, bytes.length - ((bytes.length - from) % 3));
  return whole.toString("base64");
}
