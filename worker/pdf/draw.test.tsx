import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ReactElement, ReactNode } from "react";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Block } from "@/server/packets/stationery/block";
import { loadFonts } from "@/server/packets/stationery/fonts";
import { Sheet } from "@/server/packets/stationery/page";
import { Heading, Paragraph } from "@/server/packets/stationery/text";
import { drawPages } from "./draw";
import { withPdfium } from "./pdfium";
import { tableSheet } from "./testing/table-sheet";

const FACTS = { title: "Table", author: "Tenant", language: "en", createdAt: "2026-12-01T00:00:00Z" };

beforeAll(loadFonts);

function sheet(children: ReactNode): ReactElement {
  return (
    <Sheet
      input={{
        letterhead: { tenantName: "Tenant", accent: "#0f5e63", logo: null, paper: "A4" },
        revision: { number: 1, shortId: "abc", preparedOn: "2026-12-01" },
      }}
      title="Title"
      period=""
      head="running"
    >
      {children}
    </Sheet>
  );
}

const paragraphs = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `Paragraph ${index}: ${"words that fill a line and then some ".repeat(5)}`,
  );

describe("pages", () => {
  it("that something would run off are refused by their number, never written short", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const tall = sheet(
      <>
        <Paragraph>First</Paragraph>
        <Block isTogether>
          {paragraphs(40).map((text) => (
            <Paragraph key={text}>{text}</Paragraph>
          ))}
        </Block>
      </>,
    );
    await expect(drawPages(tall, FACTS)).rejects.toMatchObject({ code: "template_rejected", page: 3 });
    warn.mockRestore();
  });

  it("hold every line of a long text once, and no heading stands alone at the foot", async () => {
    for (let before = 24; before < 40; before += 1) {
      const { bytes, rowsByPage } = await drawPages(
        sheet(
          <>
            {paragraphs(12).map((text) => (
              <Paragraph key={text}>{text}</Paragraph>
            ))}
            <Block before={before * 6} />
            <Heading level={2}>Alone</Heading>
            <Paragraph>Below the heading.</Paragraph>
          </>,
        ),
        FACTS,
      );
      const pages: string[] = [];
      await withPdfium(bytes, (document) => {
        for (let index = 0; index < document.getPageCount(); index += 1) pages.push(document.getPage(index).getText());
      });
      expect(pages).toHaveLength(rowsByPage.length);
      expect(pages.find((text) => text.includes("Alone"))).toContain("Below the heading.");
      expect(pages.join(" ").match(/Paragraph \d+:/g)).toHaveLength(12);
    }
  });
});

describe("a process that draws", () => {
  it("keeps nothing of what it drew", async () => {
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    if (typeof collect !== "function") throw new Error("No collector.");
    const window = tableSheet(
      Array.from({ length: 120 }, (_, index) => [`Name ${index}`, "some words of a remark", `${index}`]),
    );
    const heapAfter = async (times: number): Promise<number> => {
      for (let time = 0; time < times; time += 1) await drawPages(window(0, 120), FACTS);
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await heapAfter(4);
    const after = await heapAfter(10);
    expect(after - before).toBeLessThan(12_000_000);
  });
});
