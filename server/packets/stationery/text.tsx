import { Link as PdfLink, Text, View } from "@react-pdf/renderer";
import type { ReactNode } from "react";
import { BOLD, REGULAR, SANS, SERIF } from "./fonts";
import { breakLongWords } from "./long-words";
import { INK, MEASURE, MM, MUTED } from "./measures";

/** Width that any block has at least: A4 less its margins. */
const COLUMN = 170 * MM;

const HEADING = {
  1: { size: 20, line: 1.2, before: 0, after: 12, ahead: 60 },
  2: { size: 13, line: 1.3, before: 20, after: 8, ahead: 54 },
  3: { size: 10.5, line: 1.3, before: 12, after: 4, ahead: 42 },
} as const;

interface HeadingProps {
  readonly level: 1 | 2 | 3;
  readonly children: string;
  /** Points that must fit below it on the same page; a table asks for its header and first row. */
  readonly ahead?: number;
  readonly isFirst?: boolean;
}

/** A heading. It never stands alone at the foot of a page. */
export function Heading({ level, children, ahead, isFirst = false }: HeadingProps) {
  const { size, line, before, after, ahead: least } = HEADING[level];
  return (
    <Text
      style={{
        fontFamily: SANS,
        fontWeight: BOLD,
        fontSize: size,
        lineHeight: line,
        color: INK,
        marginTop: isFirst ? 0 : before,
        marginBottom: after,
        letterSpacing: level === 1 ? -0.2 : 0,
      }}
      minPresenceAhead={ahead ?? least}
      hyphenationCallback={breakLongWords({ width: COLUMN, size, families: SANS, weight: BOLD })}
    >
      {children}
    </Text>
  );
}

interface ParagraphProps {
  readonly children: ReactNode;
  readonly size?: number;
  readonly width?: number;
  readonly after?: number;
}

/** Running text in the serif, in a column that is good to read. At least two lines stay together at a page's end and start. */
export function Paragraph({ children, size = 10.5, width = MEASURE, after = 8 }: ParagraphProps) {
  return (
    <Text
      style={{ fontFamily: SERIF, fontSize: size, lineHeight: 1.42, color: INK, maxWidth: width, marginBottom: after }}
      orphans={2}
      widows={2}
      hyphenationCallback={breakLongWords({ width, size, families: SERIF, weight: REGULAR })}
    >
      {children}
    </Text>
  );
}

/** Text with line breaks as paragraphs: an empty line ends one, a single break stays a break. */
export function Prose({ children, size }: { readonly children: string; readonly size?: number }) {
  const paragraphs = children.split(/\n[ ]*\n\s*/).filter((text) => text.trim() !== "");
  return (
    <View>
      {paragraphs.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of paragraphs never changes within one document
        <Paragraph key={index} {...(size === undefined ? {} : { size })}>
          {text}
        </Paragraph>
      ))}
    </View>
  );
}

interface LabelProps {
  readonly children: string;
  readonly color?: string;
  readonly size?: number;
  readonly after?: number;
  readonly width?: number;
}

/** A small line in the sans: captions, field names, dates. */
export function Label({ children, color = MUTED, size = 8.5, after = 0, width = COLUMN }: LabelProps) {
  return (
    <Text
      style={{ fontFamily: SANS, fontSize: size, lineHeight: 1.4, color, marginBottom: after }}
      hyphenationCallback={breakLongWords({ width, size, families: SANS, weight: REGULAR })}
    >
      {children}
    </Text>
  );
}

/** Words set apart within a paragraph. */
export function Strong({ children }: { readonly children: string }) {
  return <Text style={{ fontWeight: BOLD }}>{children}</Text>;
}

/** A list with hanging bullets. */
export function List({ items, width = MEASURE }: { readonly items: readonly string[]; readonly width?: number }) {
  return (
    <View style={{ marginBottom: 8 }}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of items never changes within one document
        <View key={index} style={{ flexDirection: "row", maxWidth: width }}>
          <Text style={{ fontFamily: SERIF, fontSize: 10.5, lineHeight: 1.42, width: 14, color: MUTED }}>•</Text>
          <View style={{ flex: 1 }}>
            <Paragraph width={width - 14} after={3}>
              {item}
            </Paragraph>
          </View>
        </View>
      ))}
    </View>
  );
}

/** Words that lead to the first page of another part of the packet. The target is resolved when the packet is assembled. */
export function PartLink({ position, children }: { readonly position: number; readonly children: ReactNode }) {
  return (
    <PdfLink src={`#part-${position}`} style={{ color: INK, textDecoration: "none" }}>
      {children}
    </PdfLink>
  );
}
