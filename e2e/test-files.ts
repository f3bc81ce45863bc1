import { PDFDocument, StandardFonts } from "pdf-lib";
import sharp from "sharp";

export interface MadeFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A PDF with one line of words on each page. */
export async function pdfOf(
  name: string,
  pages: readonly string[],
  size: [number, number] = [595, 842],
): Promise<MadeFile> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const words of pages) document.addPage(size).drawText(words, { x: 60, y: size[1] - 120, size: 20, font });
  return { name, mimeType: "application/pdf", buffer: Buffer.from(await document.save()) };
}

/** A PDF that opens only with a password. */
export async function lockedPdf(name: string): Promise<MadeFile> {
  const document = await PDFDocument.create();
  document.addPage([300, 300]);
  document.encrypt({ userPassword: "let me in", ownerPassword: "let me do as I like" });
  return { name, mimeType: "application/pdf", buffer: Buffer.from(await document.save()) };
}

/** The first half of a PDF, as a broken connection leaves it. */
export async function cutPdf(name: string): Promise<MadeFile> {
  const whole = await pdfOf(
    name,
    Array.from({ length: 20 }, (_, index) => `Page ${index + 1}`),
  );
  return { ...whole, buffer: whole.buffer.subarray(0, whole.buffer.length / 2) };
}

/** What a telephone stores as HEIC, under the name that somebody gave it. */
export function heicNamed(name: string): MadeFile {
  const brand = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic\0\0\0\0mif1heic")]);
  return { name, mimeType: "image/jpeg", buffer: Buffer.concat([brand, Buffer.alloc(4_096, 7)]) };
}

export function emptyFile(name: string): MadeFile {
  return { name, mimeType: "application/pdf", buffer: Buffer.alloc(0) };
}

/** A picture of one colour. */
export async function pictureOf(name: string, type: "png" | "jpeg", width: number, height: number): Promise<MadeFile> {
  const background = { r: 46, g: 94, b: 110 };
  const picture = sharp({ create: { width, height, channels: 3, background } });
  return { name, mimeType: `image/${type}`, buffer: await picture[type]().toBuffer() };
}

/** A table of shipments as spreadsheets save it, a line for each row. */
export function csvOf(name: string, rows: readonly string[]): MadeFile {
  const head = "Reference,Date,Customer,Destination,Pallets,Weight kg,Value,Status,Exception note";
  return { name, mimeType: "text/csv", buffer: Buffer.from(`${[head, ...rows].join("\r\n")}\r\n`) };
}
