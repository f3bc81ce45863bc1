import { type Styles, Text } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { REGULAR, SANS } from "./fonts";
import { balanceLines, breakLines, type Setting } from "./line-breaks";
import { INK } from "./measures";

interface WordsProps extends Partial<Omit<Setting, "width">> {
  readonly children: string;
  /** Points that the words may take from edge to edge. */
  readonly width: number;
  readonly color?: string;
  readonly leading?: number;
  readonly align?: "left" | "right" | "center";
  readonly before?: number;
  readonly after?: number;
  /** False for figures outside tables: kerning draws a comma or a dot under a seven, and 37.5 reads as 375. */
  readonly isKerned?: boolean;
  /** Lines of even length, for titles. */
  readonly isBalanced?: boolean;
  /** Points that must follow on the same page. */
  readonly ahead?: number;
}

/** Every word on paper goes through here: set in our fonts, broken into lines by us. */
export function Words(props: WordsProps): ReactElement {
  const {
    children,
    width,
    families = SANS,
    weight = REGULAR,
    style = "normal",
    size = 10,
    tabular = false,
    spacing = 0,
  } = props;
  return (
    <Text
      style={styleOf({ ...props, families, weight, style, size, tabular, spacing })}
      orphans={2}
      widows={2}
      {...(props.ahead === undefined ? {} : { minPresenceAhead: props.ahead })}
    >
      {(props.isBalanced === true ? balanceLines : breakLines)(children, {
        width,
        size,
        families,
        weight,
        style,
        tabular,
        spacing,
      })}
    </Text>
  );
}

type Complete = WordsProps & Required<Omit<Setting, "width">>;

function styleOf(words: Complete): Styles[string] {
  return {
    width: words.width,
    fontFamily: [...words.families],
    fontWeight: words.weight,
    fontStyle: words.style,
    fontSize: words.size,
    lineHeight: words.leading ?? 1.4,
    color: words.color ?? INK,
    ...(words.align === undefined ? {} : { textAlign: words.align }),
    ...(words.spacing === 0 ? {} : { letterSpacing: words.spacing }),
    ...(words.tabular ? { fontFeatureSettings: ["tnum"] } : {}),
    ...(words.isKerned === false ? { fontFeatureSettings: { kern: false } } : {}),
    ...(words.before === undefined ? {} : { marginTop: words.before }),
    ...(words.after === undefined ? {} : { marginBottom: words.after }),
  };
}
