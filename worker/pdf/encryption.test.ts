import { PDFDocument, StandardFonts } from "pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textsOf } from "./testing/raster";
import { filePart, Workshop } from "./testing/workshop";

describe("encrypted files", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await Workshop.open();
  });
  afterAll(() => workshop.close());

  async function encrypted(passwords: { userPassword: string; ownerPassword: string }): Promise<Uint8Array> {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    document.setTitle("Statement");
    document.addPage([400, 400]).drawText("Readable after all", { x: 50, y: 200, font, size: 20 });
    document.encrypt(passwords);
    return document.save({ useObjectStreams: false });
  }

  it("one that opens for everybody is decrypted, shows its pages, and says so", async () => {
    const source = await encrypted({ userPassword: "", ownerPassword: "owner" });
    const { path, bytes, answer } = await workshop.prepare(source);
    expect(answer.disclosures).toContain("decrypted");
    expect((await textsOf(bytes))[0]).toContain("Readable after all");
    const book = await workshop.assemble([filePart(1, path, 1)]);
    expect((await workshop.verify(book.bytes)).encrypted).toBe(false);
    expect((await textsOf(book.bytes))[0]).toContain("Readable after all");
  });

  it("one that needs a password is refused as encrypted", async () => {
    const source = await encrypted({ userPassword: "user", ownerPassword: "owner" });
    expect(await workshop.inspect(source)).toEqual({ result: "reject", code: "source_encrypted" });
  });

  it("one whose handler nobody knows is refused as encrypted", async () => {
    const source = Buffer.from(await encrypted({ userPassword: "", ownerPassword: "owner" }));
    const at = source.indexOf("/Standard");
    source.write("/Stranger", at, "latin1");
    expect(await workshop.inspect(source)).toEqual({ result: "reject", code: "source_encrypted" });
  });
});
