// @ts-check

/** @typedef {{ number: number, claim: string, kind: string, group: string }} Claim */
/** @typedef {{ proved: Claim[], decided: Claim[], open: Claim[], strays: string[] }} Judgement */

/**
 * Returns the rows of docs/claims.md.
 * @param {string} text
 * @returns {Claim[]}
 */
export function readClaims(text) {
  let group = "";
  /** @type {Claim[]} */
  const claims = [];
  for (const line of text.split("\n")) {
    group = /^## (.*)$/.exec(line)?.[1] ?? group;
    const row = /^\| (\d+) \| (.*) \| ([A-Z]) \|$/.exec(line);
    if (row) claims.push({ number: Number(row[1]), claim: row[2] ?? "", kind: row[3] ?? "", group });
  }
  return claims;
}

/**
 * Returns the claim numbers that a text carries in brackets: `[C11]`, `[C11,C12]`.
 * @param {string} text
 * @returns {number[]}
 */
export function numbersIn(text) {
  return [...text.matchAll(/\[(C\d+(?:\s*,\s*C\d+)*)\]/g)].flatMap(([, list = ""]) =>
    list.split(",").map((number) => Number(number.trim().slice(1))),
  );
}

/**
 * Holds the claims against what was shown. A document decides only claims of kind D: everything else needs a test.
 * `strays` are numbers that no claim has, and documents that name a claim they cannot decide and no test proves.
 * @param {readonly Claim[]} claims
 * @param {{ testNames: readonly string[], documents: readonly { name: string, text: string }[] }} shown names of tests that passed
 * @returns {Judgement}
 */
export function judgeClaims(claims, { testNames, documents }) {
  const known = new Map(claims.map((claim) => [claim.number, claim]));
  const tested = new Set(testNames.flatMap(numbersIn));
  const documented = documents.flatMap(({ name, text }) => numbersIn(text).map((number) => ({ name, number })));
  const decidable = new Set(documented.map(({ number }) => number).filter((number) => known.get(number)?.kind === "D"));
  return {
    proved: claims.filter(({ number }) => tested.has(number)),
    decided: claims.filter(({ number }) => !tested.has(number) && decidable.has(number)),
    open: claims.filter(({ number }) => !tested.has(number) && !decidable.has(number)),
    strays: [
      ...[...tested]
        .filter((number) => !known.has(number))
        .map((number) => `C${number}: in a test, but there is no such claim`),
      ...documented
        .filter(({ number }) => !known.has(number) || (known.get(number)?.kind !== "D" && !tested.has(number)))
        .map(
          ({ name, number }) =>
            `C${number}: in ${name}, but ${known.has(number) ? "only a test can prove it" : "there is no such claim"}`,
        ),
    ],
  };
}
