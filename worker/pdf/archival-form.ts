import { type PDFDocument, PDFName, PDFString } from "pdf-lib";
import { srgbProfile } from "./srgb-profile";

/**
 * Adds what PDF/A-2u asks of the document as a whole: the output intent that gives device colours a meaning
 * (ISO 19005-2, 6.2.3). Its identification stands in the XMP packet.
 */
export function setArchivalForm({ context, catalog }: PDFDocument): void {
  const profile = context.register(context.flateStream(srgbProfile(), { N: 3 }));
  const intent = context.obj({
    Type: "OutputIntent",
    S: "GTS_PDFA1",
    OutputConditionIdentifier: PDFString.of("sRGB IEC61966-2.1"),
    Info: PDFString.of("sRGB IEC61966-2.1"),
    RegistryName: PDFString.of("http://www.color.org"),
    DestOutputProfile: profile,
  });
  catalog.set(PDFName.of("OutputIntents"), context.obj([context.register(intent)]));
}
