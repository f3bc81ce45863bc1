import { Link as PdfLink, View } from "@react-pdf/renderer";
import type { ReactNode } from "react";
import { BOLD, SERIF } from "./fonts";
import { INK, MEASURE, MM, MUTED } from "./measures";
import { Words } from "./words";

/** Width that any block has at least: A4 less its margins. */
const COLUMN = 170 * MM;

const HEADING = {
  1: { size: 20, leading: 1.2, before: 0, after: 12, ahead: 60 },
  2: { size: 13, leading: 1.3, before: 20, after: 8, ahead: 54 },
  3: { size: 10.5, leading: 1.3, before: 12, after: 4, ahead: 42 },
} as const;

interface HeadingProps {
  readonly level: 1 | 2 | 3;
  readonly children: string;
  /** Points that must fit below it on the same page; a table asks for its header and first row. */
  readonly ahead?: number;
  readonly isFirst?: boolean;
  readonly width?: number;
}

/** A heading. It never stands alone at the foot of a page. */
export function Heading({ level, children, ahead, isFirst = false, width = COLUMN }: HeadingProps) {
  const look = HEADING[level];
  return (
    <Words
      width={width}
      weight={BOLD}
      size={look.size}
      leading={look.leading}
      spacing={level === 1 ? -0.2 : 0}
      before={isFirst ? 0 : look.before}
      after={look.after}
      ahead={ahead ?? look.ahead}
    >
      {children}
    </Words>
  );
}

interface ParagraphProps {
  readonly children: string;
  readonly size?: number;
  readonly width?: number;
  readonly after?: number;
}

/** Running text in the serif, in a column that is good to read. At least two lines stay together at a page's end and start. */
export function Paragraph({ children, size = 10.5, width = MEASURE, after = 8 }: ParagraphProps) {
  return (
    <Words families={SERIF} size={size} leading={1.42} width={width} after={after}>
      {withoutRunt(children)}
    </Words>
  );
}

/** A last line of one short word looks lost: the last two words stay together. */
function withoutRunt(text: string): string {
  return text.length > 60 ? text.replace(/ (\S{1,7})$/u, "\u00a0$1") : text;
}

/** Text with line breaks as paragraphs: an empty line ends one, a single break stays a break. */
export function Prose({ children, size = 10.5, width = MEASURE }: Omit<ParagraphProps, "after">) {
  const paragraphs = children.split(/\n[ ]*\n\s*/).filter((text) => text.trim() !== "");
  return (
    <View>
      {paragraphs.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of paragraphs never changes within one document
        <Paragraph key={index} size={size} width={width}>
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
    <Words size={size} color={color} width={width} after={after}>
      {children}
    </Words>
  );
}

const INDENT = { bullet: 12, check: 18 } as const;

interface ListProps {
  readonly items: readonly string[];
  readonly width?: number;
  /** `check` draws a box to tick by hand. */
  readonly mark?: "bullet" | "check";
}

/** A list with hanging marks. */
export function List({ items, width = MEASURE, mark = "bullet" }: ListProps) {
  return (
    <View style={{ marginBottom: 8 }}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of items never changes within one document
        <View key={index} wrap={false} style={{ flexDirection: "row", width }}>
          <View style={{ width: INDENT[mark] }}>{mark === "check" ? <TickBox /> : <Bullet />}</View>
          <Paragraph width={width - INDENT[mark]} after={mark === "check" ? 5 : 3}>
            {item}
          </Paragraph>
        </View>
      ))}
    </View>
  );
}

function Bullet() {
  return (
    <Words families={SERIF} size={10.5} leading={1.42} color={MUTED} width={INDENT.bullet}>
      •
    </Words>
  );
}

function TickBox() {
  return <View style={{ width: 9, height: 9, borderWidth: 0.7, borderColor: INK, marginTop: 3.2 }} />;
}

/** Words that lead to the first page of another part of the packet. The target is resolved when the packet is assembled. */
export function PartLink({ position, children }: { readonly position: number; readonly children: ReactNode }) {
  return (
    <PdfLink src={`#part-${position}`} style={{ textDecoration: "none" }}>
      {children}
    </PdfLink>
  );
}
