import { parse } from "content-disposition";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dispositionOf, fileName } from "./file-name";

const TITLES = [
  "Añé “2026”",
  "入职包",
  "a/b\\c",
  'x"; y=1',
  "line\r\nSet-Cookie: a=b",
  "n".repeat(300),
  "../../etc/passwd",
  "  ",
  "CON:",
];

describe("the name a download is saved under", () => {
  it.each(TITLES)("is one header line with a plain and a real name: %j", (title) => {
    const header = dispositionOf("attachment", title);
    expect(header).toMatch(/^attachment; filename=/);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(() => new Headers({ "content-disposition": header })).not.toThrow();
    expect(parse(header).parameters.filename).toBe(`${fileName(title)}.pdf`);
  });

  it("keeps letters of any script and drops what a folder or a header could read", () => {
    expect(fileName("Zoë Łukaszewicz")).toBe("Zoë Łukaszewicz");
    expect(fileName("入职包")).toBe("入职包");
    expect(fileName("a/b\\c")).toBe("a-b-c");
    expect(fileName("name\r\nX: 1")).toBe("name X- 1");
    expect(fileName("  ")).toBe("Packet");
    expect(fileName("report.pdf")).toBe("report");
  });

  it("is safe for every title there is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (title) => {
        const name = fileName(title);
        expect([...name].length).toBeLessThanOrEqual(120);
        expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}]/u);
        expect(name).not.toMatch(/^\.|\.$/);
        expect(dispositionOf("inline", title)).toMatch(/^inline; filename="?[\x20-\x7e]+$/);
      }),
    );
  });
});
