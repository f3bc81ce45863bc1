import { Text, View } from "@react-pdf/renderer";
import { SANS } from "./fonts";
import { INK, MUTED } from "./measures";

interface BlankProps {
  readonly label: string;
  readonly width: number;
  /** What stands on the line already, where it is known. */
  readonly value?: string;
}

/** A ruled blank to fill in by hand, or a known value on the same rule. */
export function Blank({ label, width, value = "" }: BlankProps) {
  return (
    <View style={{ width, marginBottom: 16 }}>
      <View
        style={{
          height: 26,
          justifyContent: "flex-end",
          borderBottomWidth: 0.7,
          borderBottomColor: INK,
          paddingBottom: 3,
        }}
      >
        <Text style={{ fontFamily: SANS, fontSize: 10, lineHeight: 1.2 }}>{value}</Text>
      </View>
      <Text style={{ fontFamily: SANS, fontSize: 7.5, lineHeight: 1.4, color: MUTED, marginTop: 3 }}>{label}</Text>
    </View>
  );
}

/** Blanks side by side, kept together on one page. */
export function Blanks({
  blanks,
  width,
}: {
  readonly blanks: readonly Omit<BlankProps, "width">[];
  readonly width: number;
}) {
  const gap = 16;
  const each = (width - gap * (blanks.length - 1)) / blanks.length;
  return (
    <View wrap={false} style={{ flexDirection: "row", gap, width }}>
      {blanks.map((blank) => (
        <Blank key={blank.label} {...blank} width={each} />
      ))}
    </View>
  );
}
