import { describe, expect, it } from "vitest";
import { FOREIGN_LIMITS, ReadingBudget } from "./budget";
import { SyntaxReader } from "./object-syntax";
import { PdfName, PdfRef, PdfString, textOf } from "./pdf-object";

const read = (text: string) =>
  new SyntaxReader(Buffer.from(text, "latin1"), 0, new ReadingBudget(FOREIGN_LIMITS)).readValue();
const string = (text: string) => {
  const value = read(text);
  return value instanceof PdfString ? Buffer.from(value.bytes).toString("latin1") : null;
};

describe("values in PDF syntax", () => {
  it("are read as ISO 32000 writes them", () => {
    expect(read("[1 -2 +3.5 .5 4. true false null]")).toEqual([1, -2, 3.5, 0.5, 4, true, false, null]);
    expect(read("[1 0 R 2 0 3 0 R]")).toEqual([new PdfRef(1, 0), 2, 0, new PdfRef(3, 0)]);
    expect(read("<</A/B/C<</D[/E]>>% remark\n/F 1>>")).toEqual(
      new Map<string, unknown>([
        ["A", new PdfName("B")],
        ["C", new Map([["D", [new PdfName("E")]]])],
        ["F", 1],
      ]),
    );
  });

  it("hide no name behind escapes", () => {
    expect(read("/J#61v#61Script")).toEqual(new PdfName("JavaScript"));
    expect(read("<</#4AS 1>>")).toEqual(new Map([["JS", 1]]));
  });

  it("keep every byte of a string", () => {
    expect(string("(a (nested) \\) \\n\\101\\0612 \\\r\nb)")).toBe("a (nested) ) \nA12 b");
    expect(string("(a\r\nb\rc)")).toBe("a\nb\nc");
    expect(string("<48 65 6c6>")).toBe("Hel`");
  });

  it("are text in four encodings", () => {
    expect(textOf(read("<FEFF0141006F>"))).toBe("Ło");
    expect(textOf(read("<FFFE41016F00>"))).toBe("Ło");
    expect(textOf(read("<EFBBBFC581>"))).toBe("Ł");
    expect(textOf(read("(\\200 \\240 \\225 \\351)"))).toBe("• € Ł é");
  });

  it.each(["[1 2", "<< /A >>", "<< 1 2 >>", "(open", "<zz>", ")", "]", "", "--", "/A#"])(
    "%s is no endless loop",
    (text) => {
      try {
        read(text);
      } catch (error) {
        expect(error).toMatchObject({ name: "SyntaxFault" });
      }
    },
  );
});
