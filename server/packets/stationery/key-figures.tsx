import { View } from "@react-pdf/renderer";
import { BOLD, SANS } from "./fonts";
import { widthOf } from "./line-breaks";
import { HAIRLINE, MUTED } from "./measures";
import { Words } from "./words";

export interface KeyFigure {
  readonly label: string;
  readonly value: string;
  /** A few words below: a goal, a change, a share. */
  readonly note?: string;
}

const GAP = 14;
const SIZE_MAX = 22;
const SIZE_MIN = 11;
const SPACING = -0.3;

/** Three or four numbers that matter most, large and side by side, each with its name and what to compare it with. */
export function KeyFigures({ figures, width }: { readonly figures: readonly KeyFigure[]; readonly width: number }) {
  const each = (width - GAP * (figures.length - 1)) / figures.length;
  const size = sizeFor(figures, each);
  return (
    <View wrap={false} style={{ flexDirection: "row", gap: GAP, width, marginBottom: 18 }}>
      {figures.map((figure) => (
        <View key={figure.label} style={{ width: each, borderTopWidth: 0.7, borderTopColor: HAIRLINE, paddingTop: 6 }}>
          <Words width={each} size={8.5} color={MUTED}>
            {figure.label}
          </Words>
          <Words width={each} weight={BOLD} size={size} leading={1.3} spacing={SPACING} isKerned={false}>
            {figure.value}
          </Words>
          {figure.note === undefined ? null : (
            <Words width={each} size={8.5} color={MUTED}>
              {figure.note}
            </Words>
          )}
        </View>
      ))}
    </View>
  );
}

/** All figures of a strip have one size: the largest at which each stays on its line. */
function sizeFor(figures: readonly KeyFigure[], width: number): number {
  const widest = Math.max(...figures.map(({ value }) => widthOf(value, { size: 1, families: SANS, weight: BOLD })));
  return Math.max(SIZE_MIN, Math.min(SIZE_MAX, Math.floor(width / widest)));
}
