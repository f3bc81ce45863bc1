import type { SampleFile } from "./kind";

/**
 * The files that samples name, made in code so that no binary stands in the repository. Everything that draws is imported when a file
 * is made, never before: the web process knows the samples too.
 */

/** Returns a PDF of plain text pages with headings, on A4 or Letter, upright or turned. */
export function pdfSample(
  sourceId: string,
  title: string,
  content: {
    readonly paper?: "A4" | "LETTER";
    readonly landscape?: boolean;
    readonly rotate?: 0 | 90 | 270;
    readonly sections: readonly SampleSection[];
  },
): SampleFile {
  return {
    sourceId,
    title,
    mediaType: "application/pdf",
    make: async () => {
      const { drawSampleDocument } = await import("./stationery/sample-document");
      const bytes = await drawSampleDocument({
        title,
        paper: content.paper ?? "A4",
        landscape: content.landscape ?? false,
        sections: content.sections,
      });
      return content.rotate === undefined || content.rotate === 0 ? bytes : await rotated(bytes, content.rotate);
    },
  };
}

export interface SampleSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** Returns a grey page as a scanner gives it: lines of ink on paper, a little uneven. */
export function scanSample(sourceId: string, title: string): SampleFile {
  return {
    sourceId,
    title,
    mediaType: "image/png",
    make: async () => {
      const { default: sharp } = await import("sharp");
      return new Uint8Array(
        await sharp(Buffer.from(SCAN)).flatten({ background: "#f3f1ea" }).grayscale().png().toBuffer(),
      );
    },
  };
}

/** Returns a landscape picture, as a phone gives it. */
export function photoSample(sourceId: string, title: string): SampleFile {
  return {
    sourceId,
    title,
    mediaType: "image/jpeg",
    make: async () => {
      const { default: sharp } = await import("sharp");
      return new Uint8Array(await sharp(Buffer.from(PHOTO)).jpeg({ quality: 82 }).toBuffer());
    },
  };
}

/** Scanners turn pages by a flag instead of turning the picture. */
async function rotated(bytes: Uint8Array, angle: 90 | 270): Promise<Uint8Array> {
  const { PDFDocument, degrees } = await import("pdf-lib");
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  for (const page of document.getPages()) page.setRotation(degrees(angle));
  return await document.save();
}

const INK_LINES = Array.from({ length: 34 }, (_, index) => {
  const y = 330 + index * 34;
  const width = index % 7 === 6 ? 420 : 880 - ((index * 37) % 90);
  return `<rect x="160" y="${y}" width="${width}" height="9" rx="3" fill="#3b3b3b" opacity="0.${70 + (index % 3) * 8}"/>`;
}).join("");
const SCAN = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="1754"><rect width="1240" height="1754" fill="#f3f1ea"/>
<g transform="rotate(0.4 620 877)"><rect x="160" y="190" width="520" height="26" rx="4" fill="#222"/>
<rect x="160" y="244" width="300" height="12" rx="4" fill="#555"/>${INK_LINES}
<path d="M170 1590 c60 -70 90 40 140 -20 s70 -40 120 10" fill="none" stroke="#1c2b5a" stroke-width="6"/></g></svg>`;

const PHOTO = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1066"><defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#9db8c9"/><stop offset="1" stop-color="#e6e1d3"/></linearGradient></defs><rect width="1600" height="1066" fill="url(#s)"/>
<rect y="720" width="1600" height="346" fill="#7d8a75"/><rect x="380" y="330" width="840" height="420" fill="#b9634d"/>
<polygon points="340,330 800,120 1260,330" fill="#6d4037"/>${Array.from({ length: 5 }, (_, index) => `<rect x="${440 + index * 150}" y="430" width="84" height="130" fill="#e9eef0"/>`).join("")}
<rect x="750" y="600" width="100" height="150" fill="#4b3a33"/></svg>`;
