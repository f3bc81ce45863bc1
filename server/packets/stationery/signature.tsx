import { View } from "@react-pdf/renderer";
import { INK, MUTED } from "./measures";
import { Words } from "./words";

export interface Blank {
  readonly label: string;
  /** What stands on the line already, where it is known. */
  readonly value?: string;
}

const GAP = 16;

/** Ruled blanks to fill in by hand, side by side on one page; a known value stands on the same rule. */
export function Blanks({ blanks, width }: { readonly blanks: readonly Blank[]; readonly width: number }) {
  const each = (width - GAP * (blanks.length - 1)) / blanks.length;
  return (
    <View wrap={false} style={{ flexDirection: "row", alignItems: "flex-end", gap: GAP, width, marginBottom: 15 }}>
      {blanks.map(({ label, value = "" }) => (
        <View key={label} style={{ width: each }}>
          <View
            style={{
              minHeight: 24,
              justifyContent: "flex-end",
              borderBottomWidth: 0.7,
              borderBottomColor: INK,
              paddingBottom: 3,
            }}
          >
            <Words width={each} size={10} leading={1.25}>
              {value}
            </Words>
          </View>
          <Words width={each} size={7.5} color={MUTED} before={3}>
            {label}
          </Words>
        </View>
      ))}
    </View>
  );
}
