import { Line, Rect, Svg, Text, View } from "@react-pdf/renderer";
import { BOLD, REGULAR, SANS } from "./fonts";
import { breakLongWords } from "./long-words";
import { INK, MM, MUTED } from "./measures";

export interface Bar {
  readonly label: string;
  /** From 0 to `max`. */
  readonly value: number;
  readonly text: string;
}

interface BarChartProps {
  /** Says in words what the chart shows: its caption, and what is read aloud in its place. */
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly max: number;
  readonly width: number;
  readonly color: string;
  /** A line to compare with. */
  readonly goal?: { readonly value: number; readonly text: string };
}

const LABEL = 34 * MM;
const VALUE = 14 * MM;

/** Horizontal bars from zero, each labelled with its value, readable without colour: nothing is told by hue alone. */
export function BarChart({ title, bars, max, width, color, goal }: BarChartProps) {
  const room = width - LABEL - VALUE - 16;
  const x = (value: number) => (room * Math.min(Math.max(value, 0), max)) / max;
  return (
    <View wrap={false} style={{ width, marginBottom: 12 }}>
      <Text style={{ fontFamily: SANS, fontWeight: BOLD, fontSize: 9.5, lineHeight: 1.4, marginBottom: 6 }}>
        {title}
      </Text>
      {bars.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two bars may carry one label
        <View key={index} style={{ flexDirection: "row", alignItems: "center", gap: 8 }}>
          <Text
            style={{ width: LABEL, fontFamily: SANS, fontSize: 8.5, lineHeight: 1.3, color: INK, paddingVertical: 3 }}
            hyphenationCallback={breakLongWords({ width: LABEL, size: 8.5, families: SANS, weight: REGULAR })}
          >
            {bar.label}
          </Text>
          <Svg width={room} height={17} viewBox={`0 0 ${room} 17`}>
            <Rect x={0} y={4} width={x(bar.value)} height={9} fill={color} />
            {goal === undefined ? null : (
              <Line x1={x(goal.value)} x2={x(goal.value)} y1={0} y2={17} stroke={INK} strokeWidth={0.8} />
            )}
          </Svg>
          <Text
            style={{ width: VALUE, fontFamily: SANS, fontSize: 8.5, textAlign: "right", fontFeatureSettings: ["tnum"] }}
          >
            {bar.text}
          </Text>
        </View>
      ))}
      {goal === undefined ? null : (
        <View style={{ marginLeft: LABEL + 8, width: room }}>
          <Text
            style={{
              marginLeft: Math.max(0, x(goal.value) - 60),
              width: 120,
              textAlign: "center",
              fontSize: 7.5,
              color: MUTED,
            }}
          >
            {goal.text}
          </Text>
        </View>
      )}
    </View>
  );
}
