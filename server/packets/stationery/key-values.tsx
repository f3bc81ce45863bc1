import { Text, View } from "@react-pdf/renderer";
import { REGULAR, SANS } from "./fonts";
import { breakLongWords } from "./long-words";
import { HAIRLINE, INK, MM, MUTED } from "./measures";

interface KeyValuesProps {
  readonly entries: readonly (readonly [label: string, value: string])[];
  readonly width: number;
  readonly labelWidth?: number;
}

/** Facts one below the other: a quiet label, the value, a hairline between. */
export function KeyValues({ entries, width, labelWidth = 48 * MM }: KeyValuesProps) {
  const valueWidth = width - labelWidth - 8;
  return (
    <View style={{ width, marginBottom: 10 }}>
      {entries.map(([label, value]) => (
        <View
          key={label}
          wrap={false}
          style={{
            flexDirection: "row",
            gap: 8,
            alignItems: "baseline",
            paddingVertical: 5,
            borderBottomWidth: 0.4,
            borderBottomColor: HAIRLINE,
          }}
        >
          <Text style={{ width: labelWidth, fontFamily: SANS, fontSize: 8.5, lineHeight: 1.4, color: MUTED }}>
            {label}
          </Text>
          <Text
            style={{
              width: valueWidth,
              fontFamily: SANS,
              fontSize: 9.5,
              lineHeight: 1.4,
              color: INK,
            }}
            hyphenationCallback={breakLongWords({ width: valueWidth, size: 9.5, families: SANS, weight: REGULAR })}
          >
            {value}
          </Text>
        </View>
      ))}
    </View>
  );
}
