import { type PDFDocument, PDFHexString, PDFName, PDFString } from "pdf-lib";

export interface DocumentMetadata {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** ISO instant. */
  readonly createdAt: string;
  readonly claim: "2u" | null;
}

/**
 * Sets Info and XMP, which say the same (ISO 19005-2, 6.6.2.3), language, and the title in the window bar. No other date and
 * no other program than ours is named.
 */
export function setMetadata(document: PDFDocument, metadata: DocumentMetadata): void {
  const { context, catalog } = document;
  const title = printable(metadata.title);
  const author = printable(metadata.author);
  const date = PDFString.fromDate(new Date(metadata.createdAt));
  context.trailerInfo.Info = context.register(
    context.obj({
      Title: PDFHexString.fromText(title),
      Author: PDFHexString.fromText(author),
      Creator: PDFHexString.fromText(PROGRAM),
      Producer: PDFHexString.fromText(PROGRAM),
      CreationDate: date,
      ModDate: date,
    }),
  );
  const packet = xmpPacket({ ...metadata, title, author });
  catalog.set(
    PDFName.of("Metadata"),
    context.register(context.stream(new TextEncoder().encode(packet), { Type: "Metadata", Subtype: "XML" })),
  );
  catalog.set(PDFName.of("Lang"), PDFHexString.fromText(metadata.language));
  catalog.set(PDFName.of("ViewerPreferences"), context.obj({ DisplayDocTitle: true }));
}

const PROGRAM = "Bindery";

function xmpPacket({ title, author, language, createdAt, claim }: DocumentMetadata): string {
  const instant = `${new Date(createdAt).toISOString().slice(0, 19)}Z`;
  const conformance =
    claim === null
      ? ""
      : `\n      <pdfaid:part>${claim.slice(0, 1)}</pdfaid:part>` +
        `\n      <pdfaid:conformance>${claim.slice(1).toUpperCase()}</pdfaid:conformance>`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about=""
      xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
      xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">${conformance}
      <dc:format>application/pdf</dc:format>
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
      <dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
      <dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
      <xmp:CreatorTool>${PROGRAM}</xmp:CreatorTool>
      <xmp:CreateDate>${instant}</xmp:CreateDate>
      <xmp:ModifyDate>${instant}</xmp:ModifyDate>
      <pdf:Producer>${PROGRAM}</pdf:Producer>
    </rdf:Description>
  </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
}

/** Control characters are forbidden in XML 1.0, and a lone surrogate is no character. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
