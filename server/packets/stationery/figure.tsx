import { Image, View } from "@react-pdf/renderer";
import { Label } from "./text";

interface FigureProps {
  /** PNG or JPEG bytes in memory. */
  readonly picture: Uint8Array;
  /** What the picture says, for those who cannot see it. */
  readonly alt: string;
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
}

/** A picture with its caption, kept together on one page. */
export function Figure({ picture, alt, caption, width, height }: FigureProps) {
  return (
    <View wrap={false} style={{ width, marginBottom: 10 }}>
      <Image src={Buffer.from(picture)} cache={false} style={{ width, height, objectFit: "contain" }} />
      <Label>{caption ?? alt}</Label>
    </View>
  );
}
