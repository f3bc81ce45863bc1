import { Image, View } from "@react-pdf/renderer";
import type { ReactNode } from "react";

interface FigureProps {
  /** What the figure says, for those who cannot see it. It stays on the node, where tags are made from. */
  readonly alt: string;
  readonly width: number;
  readonly children: ReactNode;
}

/** A picture or chart, kept together on one page. */
export function Figure({ alt, width, children }: FigureProps) {
  return (
    <View wrap={false} {...{ alt }} style={{ width, marginBottom: 12 }}>
      {children}
    </View>
  );
}

interface PictureProps {
  /** PNG bytes that we encoded ourselves. They come from memory, with the renderer's cache off: nothing outlives the document. */
  readonly png: Uint8Array;
  readonly heightMax: number;
  readonly widthMax: number;
}

/** A picture as large as fits, in its own proportions. */
export function Picture({ png, heightMax, widthMax }: PictureProps) {
  const { width, height } = sizeOf(png);
  const scale = Math.min(widthMax / width, heightMax / height);
  return <Image src={Buffer.from(png)} cache={false} style={{ width: width * scale, height: height * scale }} />;
}

/** Width and height stand first in a PNG, right after its signature (ISO/IEC 15948, 11.2.2). */
function sizeOf(png: Uint8Array): { width: number; height: number } {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: header.getUint32(16), height: header.getUint32(20) };
}
