import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { loadFonts } from "./fonts";
import { MM } from "./measures";
import { Sheet } from "./page";
import { Paragraph } from "./text";
import { writeDocument } from "./write-document";

const FACTS = { title: "Letter", author: "Tenant", language: "en", createdAt: "2026-12-01T00:00:00Z" };

beforeAll(loadFonts);

async function layoutOf(logo: Uint8Array | null, words: readonly string[] = ["Text"]): Promise<Node> {
  const { layout } = await writeDocument(
    <Sheet
      input={{
        letterhead: { tenantName: "Tenant", accent: "#0f5e63", logo, paper: "A4" },
        revision: { number: 3, shortId: "7f3a9c", preparedOn: "2026-12-01" },
      }}
      title="A title that is longer than the footer has room for, because somebody named a school after all its founders and their dates"
      period="November 2026"
      head="letter"
    >
      {words.map((word) => (
        <Paragraph key={word}>{word}</Paragraph>
      ))}
    </Sheet>,
    FACTS,
  );
  return layout as Node;
}

interface Node {
  readonly type?: string;
  readonly value?: string;
  readonly box?: { readonly width: number; readonly height: number; readonly left: number; readonly top: number };
  readonly children?: readonly Node[];
}

function find(node: Node, type: string): Node[] {
  return [...(node.type === type ? [node] : []), ...(node.children ?? []).flatMap((child) => find(child, type))];
}

const picture = async (width: number, height: number) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: "#0f5e63" } })
      .png()
      .toBuffer(),
  );

describe("the letterhead", () => {
  it.each([
    [300, 300],
    [900, 200],
    [50, 400],
  ])(
    "carries a logo of %i by %i pixels in its own proportions, at most 16 mm high and 50 mm wide [C441]",
    async (width, height) => {
      const [image, ...more] = find(await layoutOf(await picture(width, height)), "IMAGE");
      expect(more).toEqual([]);
      const box = image?.box ?? { width: 0, height: 0 };
      expect(box.width / box.height).toBeCloseTo(width / height, 2);
      expect(box.height).toBeLessThanOrEqual(16 * MM + 0.01);
      expect(box.width).toBeLessThanOrEqual(50 * MM + 0.01);
      expect(Math.max(box.height / (16 * MM), box.width / (50 * MM))).toBeCloseTo(1, 2);
    },
  );

  it("is complete without a logo", async () => {
    expect(find(await layoutOf(null), "IMAGE")).toEqual([]);
  });
});

describe("the footer", () => {
  it("says title, period and revision on every page, and leaves the right side to the page number", async () => {
    const layout = await layoutOf(
      null,
      Array.from({ length: 120 }, (_, index) => `Paragraph ${index}`),
    );
    const pages = find(layout, "PAGE");
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) {
      const footers = find(page, "TEXT").filter((text) =>
        find(text, "TEXT_INSTANCE").some(({ value }) => value?.includes("Revision 3")),
      );
      expect(footers).toHaveLength(1);
      expect(
        find(footers[0] ?? {}, "TEXT_INSTANCE")
          .map(({ value }) => value)
          .join(""),
      ).toMatch(/^A title.*… {2}· {2}November 2026 {2}· {2}Revision 3 {2}· {2}7f3a9c$/);
      expect(footers[0]?.box?.width).toBeLessThanOrEqual(130 * MM + 0.01);
    }
  });
});
