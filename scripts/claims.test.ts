import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judgeClaims, numbersIn, readClaims } from "./claims.mjs";

const TEXT = `# Claims

## A. Identity

| number | claim | kind |
| --- | --- | --- |
| 1 | A key names one job. | I |
| 2 | Keys are kept | for ever. | D |

## B. Admission

| number | claim | kind |
| --- | --- | --- |
| 3 | Nothing is rendered at admission. | X |
`;

describe("the checklist", () => {
  it("reads every row with its group, whatever stands in the claim", () => {
    expect(readClaims(TEXT)).toEqual([
      { number: 1, claim: "A key names one job.", kind: "I", group: "A. Identity" },
      { number: 2, claim: "Keys are kept | for ever.", kind: "D", group: "A. Identity" },
      { number: 3, claim: "Nothing is rendered at admission.", kind: "X", group: "B. Admission" },
    ]);
  });

  it("finds numbers in brackets only", () => {
    expect(numbersIn("one [C1], two [C2,C30], three [C4, C5]; not C6, [7], [C8x] nor [D9]")).toEqual([1, 2, 30, 4, 5]);
  });

  it("counts a claim as proved by a test that passed", () => {
    const { proved, open } = judge(["a key names one job [C1]"], "");
    expect(proved.map(({ number }) => number)).toEqual([1]);
    expect(open.map(({ number }) => number)).toEqual([2, 3]);
  });

  it("lets a document decide a row of kind D, and no other", () => {
    const { decided, open, strays } = judge([], "kept for ever [C2]; nothing is rendered [C3]");
    expect(decided.map(({ number }) => number)).toEqual([2]);
    expect(open.map(({ number }) => number)).toEqual([1, 3]);
    expect(strays).toEqual(["C3: in docs/keys.md, but only a test can prove it"]);
  });

  it("counts a claim once, however often it is shown", () => {
    const { proved, decided } = judge(["one [C2]", "again [C2]"], "[C2] and [C2]");
    expect([proved.length, decided.length]).toEqual([1, 0]);
  });

  it("names numbers that no claim has", () => {
    expect(judge(["[C99]"], "[C98]").strays).toEqual([
      "C99: in a test, but there is no such claim",
      "C98: in docs/keys.md, but there is no such claim",
    ]);
  });

  it("holds all 477 claims, numbered without a gap", () => {
    const numbers = readClaims(readFileSync("docs/claims.md", "utf8")).map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 477 }, (_, index) => index + 1));
  });
});

function judge(testNames: readonly string[], document: string) {
  return judgeClaims(readClaims(TEXT), { testNames, documents: [{ name: "docs/keys.md", text: document }] });
}
