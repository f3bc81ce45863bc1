import { Line, Rect, Svg, View } from "@react-pdf/renderer";
import { Figure } from "./figure";
import { BOLD } from "./fonts";
import { INK, MM, MUTED } from "./measures";
import { Words } from "./words";

export interface Bar {
  readonly label: string;
  /** From 0 to `max`. */
  readonly value: number;
  readonly text: string;
}

interface BarChartProps {
  /** Says in words what the chart shows. */
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly max: number;
  readonly width: number;
  readonly color: string;
  /** A line to compare with. */
  readonly goal?: { readonly value: number; readonly text: string };
}

const LABEL = 34 * MM;
const VALUE = 16 * MM;
const GAP = 8;
const ROW = 17;
const BAR = 9;
const GOAL_LABEL = 120;

/** Horizontal bars from zero, each labelled with its value, readable without colour: nothing is told by hue alone. */
export function BarChart({ title, bars, max, width, color, goal }: BarChartProps) {
  const room = width - LABEL - VALUE - 2 * GAP;
  const x = (value: number) => (room * Math.min(Math.max(value, 0), max)) / max;
  return (
    <Figure width={width} alt={`${title}: ${bars.map((bar) => `${bar.label} ${bar.text}`).join(", ")}`}>
      <Words width={width} weight={BOLD} size={9.5} after={6}>
        {title}
      </Words>
      {bars.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two bars may carry one label
        <View key={index} style={{ flexDirection: "row", alignItems: "center", gap: GAP }}>
          <Words width={LABEL} size={8.5} leading={1.3}>
            {bar.label}
          </Words>
          <Svg width={room} height={ROW} viewBox={`0 0 ${room} ${ROW}`}>
            <Rect x={0} y={(ROW - BAR) / 2} width={x(bar.value)} height={BAR} fill={color} />
            {goal === undefined ? null : (
              <Line x1={x(goal.value)} x2={x(goal.value)} y1={0} y2={ROW} stroke={INK} strokeWidth={0.8} />
            )}
          </Svg>
          <Words width={VALUE} size={8.5} leading={1.3} align="right" tabular>
            {bar.text}
          </Words>
        </View>
      ))}
      {goal === undefined ? null : (
        <View style={{ marginLeft: LABEL + GAP + Math.max(0, x(goal.value) - GOAL_LABEL / 2), marginTop: 2 }}>
          <Words width={GOAL_LABEL} size={7.5} color={MUTED} align="center">
            {goal.text}
          </Words>
        </View>
      )}
    </Figure>
  );
}
