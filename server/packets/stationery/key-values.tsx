import { View } from "@react-pdf/renderer";
import { HAIRLINE, MM, MUTED } from "./measures";
import { Words } from "./words";

interface KeyValuesProps {
  readonly entries: readonly (readonly [label: string, value: string])[];
  readonly width: number;
  readonly labelWidth?: number;
}

const GAP = 8;

/** Facts one below the other: a quiet label, the value, a hairline between. */
export function KeyValues({ entries, width, labelWidth = 48 * MM }: KeyValuesProps) {
  return (
    <View style={{ width, marginBottom: 10 }}>
      {entries.map(([label, value]) => (
        <View
          key={label}
          wrap={false}
          style={{
            flexDirection: "row",
            gap: GAP,
            paddingVertical: 5,
            borderBottomWidth: 0.4,
            borderBottomColor: HAIRLINE,
          }}
        >
          <Words width={labelWidth} size={8.5} color={MUTED} leading={(9.5 * 1.4) / 8.5}>
            {label}
          </Words>
          <Words width={width - labelWidth - GAP} size={9.5} isKerned={false}>
            {value}
          </Words>
        </View>
      ))}
    </View>
  );
}
