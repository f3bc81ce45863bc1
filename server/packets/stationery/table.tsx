import { type Styles, Text, View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { BOLD, REGULAR, SANS } from "./fonts";
import { breakLines, widthOf } from "./line-breaks";
import { HAIRLINE, INK, MUTED, ZEBRA } from "./measures";

export interface Column {
  readonly title: string;
  /** Share of the table's width. */
  readonly share: number;
  readonly align?: "left" | "right";
}

interface TableProps {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Points; what the columns share. */
  readonly width: number;
  readonly totals?: readonly string[];
  /** For long lists: a little smaller and closer. */
  readonly isDense?: boolean;
  /** False in every window of a longer table but the last: the totals then only make room for themselves. */
  readonly isEnd?: boolean;
  /** Number of the first row given, and of all rows there are: for a window of a longer table. */
  readonly from?: number;
  readonly rowsInAll?: number;
}

const LOOK = { size: 8.5, padding: 3.6 } as const;
const DENSE = { size: 8, padding: 2.5 } as const;
type Look = typeof LOOK | typeof DENSE;
const HEADER_SIZE = 7.5;
const GAP = 8;
const ZEBRA_FROM = 16;
/** Points below a header that must hold at least a row, and below the last row that must hold the totals. */
const ROW_AHEAD = 26;
/** Points that a header and one row need; a heading above a table asks for this much. */
export const TABLE_START = 58;

/** A table whose header stands on each of its pages. Stripes only where it is longer than 15 rows; figures are tabular. */
export function Table(props: TableProps): ReactElement {
  return <View style={{ marginBottom: 14 }}>{tableRows(props)}</View>;
}

/**
 * The rows of a table, header first and totals last. As direct children of a page they make a table without end: row `n` carries the
 * id `row-n`, so that the driver can tell which rows a page holds.
 */
export function tableRows(props: TableProps) {
  const { columns, rows, width, totals, isDense = false, isEnd = true, from = 0, rowsInAll = rows.length } = props;
  const look = isDense ? DENSE : LOOK;
  const widths = columnWidths({ columns, width, totals: totals ?? [], size: look.size });
  const elements = [
    <HeaderRow key="header" columns={columns} widths={widths} />,
    ...numbered(rows, from).map(({ number, cells }) => (
      <Row
        key={number}
        look={look}
        number={number}
        columns={columns}
        cells={cells}
        widths={widths}
        isStriped={rowsInAll >= ZEBRA_FROM && number % 2 === 1}
        isBeforeTotals={totals !== undefined && number === rowsInAll - 1}
      />
    )),
  ];
  if (totals !== undefined && isEnd)
    elements.push(<TotalsRow key="totals" look={look} columns={columns} cells={totals} widths={widths} />);
  return elements;
}

function numbered(rows: TableProps["rows"], from: number): { number: number; cells: readonly string[] }[] {
  return rows.map((cells, index) => ({ number: from + index, cells }));
}

interface RowProps {
  readonly look: Look;
  readonly columns: readonly Column[];
  readonly cells: readonly string[];
  readonly widths: readonly number[];
}

function HeaderRow({ columns, widths }: Omit<RowProps, "cells" | "look">) {
  return (
    <View
      fixed
      wrap={false}
      minPresenceAhead={ROW_AHEAD}
      style={{
        ...rowStyle(BOLD, HEADER_SIZE),
        color: MUTED,
        alignItems: "flex-end",
        paddingBottom: 4,
        borderBottomWidth: 0.9,
        borderBottomColor: INK,
      }}
    >
      {cellsOf({ columns, cells: columns.map((column) => column.title), widths }, BOLD, HEADER_SIZE)}
    </View>
  );
}

interface BodyRowProps extends RowProps {
  readonly number: number;
  readonly isStriped: boolean;
  readonly isBeforeTotals: boolean;
}

function Row({ number, isStriped, isBeforeTotals, look, ...row }: BodyRowProps) {
  return (
    <View
      id={`row-${number}`}
      wrap={false}
      {...(isBeforeTotals ? { minPresenceAhead: ROW_AHEAD } : {})}
      style={{
        ...rowStyle(REGULAR, look.size),
        paddingVertical: look.padding,
        borderBottomWidth: 0.4,
        borderBottomColor: HAIRLINE,
        ...(isStriped ? { backgroundColor: ZEBRA } : {}),
      }}
    >
      {cellsOf(row, REGULAR, look.size)}
    </View>
  );
}

/** Totals stand apart: a rule above, bold; the last row keeps them on its page. */
function TotalsRow({ look, ...row }: RowProps) {
  return (
    <View
      wrap={false}
      style={{
        ...rowStyle(BOLD, look.size),
        paddingVertical: 5,
        marginTop: 2,
        borderTopWidth: 0.9,
        borderTopColor: INK,
      }}
    >
      {cellsOf(row, BOLD, look.size)}
    </View>
  );
}

/** Cells inherit from their row: a style is worked out once a row, not once a cell, which halves the cost of a long table. */
function rowStyle(weight: number, size: number) {
  return {
    flexDirection: "row" as const,
    gap: GAP,
    fontFamily: [...SANS],
    fontWeight: weight,
    fontSize: size,
    lineHeight: 1.35,
    color: INK,
  } satisfies Styles[string];
}

/** Figures stand right-aligned in tabular digits; elsewhere the tabular cut would widen spaces and commas too. */
const FIGURES: Styles[string] = { textAlign: "right", fontFeatureSettings: ["tnum"] };

function cellsOf({ columns, cells, widths }: Omit<RowProps, "look">, weight: number, size: number): ReactElement[] {
  return columns.map((column, index) => {
    const width = widths[index] ?? 0;
    const isFigures = column.align === "right";
    return (
      <Text key={column.title} style={isFigures ? { width, ...FIGURES } : { width }}>
        {breakLines(cells[index] ?? "", { width, size, families: SANS, weight, tabular: isFigures })}
      </Text>
    );
  });
}

/** Shares of the width, except that a total never wraps: what its column lacks, the widest column of words gives. */
function columnWidths({
  columns,
  width,
  totals,
  size,
}: Required<Pick<TableProps, "columns" | "width" | "totals">> & Pick<Look, "size">): number[] {
  const shares = columns.reduce((sum, column) => sum + column.share, 0);
  const room = width - GAP * (columns.length - 1);
  const widths = columns.map((column) => (room * column.share) / shares);
  const least = columns.map((column, index) =>
    column.align === "right"
      ? Math.ceil(widthOf(totals[index] ?? "", { size, families: SANS, weight: BOLD, tabular: true })) + 1
      : 0,
  );
  const lacking = widths.reduce((sum, own, index) => sum + Math.max(0, (least[index] ?? 0) - own), 0);
  const giver = widths.indexOf(Math.max(...widths.filter((_, index) => columns[index]?.align !== "right")));
  return widths.map((own, index) => (index === giver ? own - lacking : Math.max(own, least[index] ?? 0)));
}
