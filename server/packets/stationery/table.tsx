import { Text, View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import { BOLD, REGULAR, SANS } from "./fonts";
import { breakLongWords } from "./long-words";
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
  /** Number of the first row given, and of all rows there are: for a window of a longer table. */
  readonly from?: number;
  readonly rowsInAll?: number;
}

const SIZE = 8.5;
const GAP = 8;
const ZEBRA_FROM = 16;
/** Points that a header and one row need; a heading above a table asks for this much. */
export const TABLE_START = 58;

/** A table whose header stands on each of its pages. Stripes only where it is longer than 15 rows; figures are tabular. */
export function Table({ columns, rows, width, totals, from = 0, rowsInAll = rows.length }: TableProps): ReactElement {
  const widths = columnWidths(columns, width);
  return (
    <View style={{ marginBottom: 12 }}>
      <HeaderRow columns={columns} widths={widths} />
      <TableRows columns={columns} rows={rows} widths={widths} from={from} rowsInAll={rowsInAll} />
      {totals === undefined ? null : <TotalsRow columns={columns} cells={totals} widths={widths} />}
    </View>
  );
}

/**
 * The same as direct children of a page, for tables without end: row `n` carries the id `row-n`, so that the driver can tell which
 * rows a page holds.
 */
export function tableWindow({
  columns,
  rows,
  width,
  totals,
  from = 0,
  rowsInAll = rows.length,
}: TableProps): ReactElement[] {
  const widths = columnWidths(columns, width);
  const elements = [
    <HeaderRow key="header" columns={columns} widths={widths} />,
    ...numbered(rows, from).map(({ number, cells }) => (
      <View key={number} id={`row-${number}`} wrap={false}>
        <Row columns={columns} cells={cells} widths={widths} isStriped={rowsInAll >= ZEBRA_FROM && number % 2 === 1} />
      </View>
    )),
  ];
  if (totals !== undefined) elements.push(<TotalsRow key="totals" columns={columns} cells={totals} widths={widths} />);
  return elements;
}

interface RowsProps {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  readonly widths: readonly number[];
  readonly from: number;
  readonly rowsInAll: number;
}

function TableRows({ columns, rows, widths, from, rowsInAll }: RowsProps) {
  return numbered(rows, from).map(({ number, cells }) => (
    <Row
      key={number}
      columns={columns}
      cells={cells}
      widths={widths}
      isStriped={rowsInAll >= ZEBRA_FROM && number % 2 === 1}
    />
  ));
}

function numbered(rows: TableProps["rows"], from: number): { number: number; cells: readonly string[] }[] {
  return rows.map((cells, index) => ({ number: from + index, cells }));
}

function HeaderRow({ columns, widths }: { readonly columns: readonly Column[]; readonly widths: readonly number[] }) {
  return (
    <View
      fixed
      style={{ flexDirection: "row", gap: GAP, paddingBottom: 4, borderBottomWidth: 0.9, borderBottomColor: INK }}
    >
      {columns.map((column, index) => (
        <Cell key={column.title} column={column} width={widths[index] ?? 0} weight={BOLD} color={MUTED} size={7.5}>
          {column.title}
        </Cell>
      ))}
    </View>
  );
}

interface RowProps {
  readonly columns: readonly Column[];
  readonly cells: readonly string[];
  readonly widths: readonly number[];
}

function Row({ columns, cells, widths, isStriped }: RowProps & { readonly isStriped: boolean }) {
  return (
    <View
      wrap={false}
      style={{
        flexDirection: "row",
        gap: GAP,
        paddingVertical: 3.6,
        borderBottomWidth: 0.4,
        borderBottomColor: HAIRLINE,
        ...(isStriped ? { backgroundColor: ZEBRA } : {}),
      }}
    >
      {columns.map((column, index) => (
        <Cell key={column.title} column={column} width={widths[index] ?? 0} weight={REGULAR} color={INK} size={SIZE}>
          {cells[index] ?? ""}
        </Cell>
      ))}
    </View>
  );
}

function TotalsRow({ columns, cells, widths }: RowProps) {
  return (
    <View
      wrap={false}
      style={{
        flexDirection: "row",
        gap: GAP,
        paddingVertical: 5,
        marginTop: 2,
        borderTopWidth: 0.9,
        borderTopColor: INK,
      }}
    >
      {columns.map((column, index) => (
        <Cell key={column.title} column={column} width={widths[index] ?? 0} weight={BOLD} color={INK} size={SIZE}>
          {cells[index] ?? ""}
        </Cell>
      ))}
    </View>
  );
}

interface CellProps {
  readonly column: Column;
  readonly width: number;
  readonly weight: number;
  readonly color: string;
  readonly size: number;
  readonly children: string;
}

function Cell({ column, width, weight, color, size, children }: CellProps) {
  return (
    <Text
      style={{
        width,
        fontFamily: SANS,
        fontWeight: weight,
        fontSize: size,
        lineHeight: 1.35,
        color,
        textAlign: column.align ?? "left",
        // Only figures: the tabular cut widens spaces and commas too.
        ...(column.align === "right" ? { fontFeatureSettings: ["tnum"] } : {}),
      }}
      hyphenationCallback={breakLongWords({ width, size, families: SANS, weight })}
    >
      {children}
    </Text>
  );
}

function columnWidths(columns: readonly Column[], width: number): number[] {
  const shares = columns.reduce((sum, column) => sum + column.share, 0);
  const room = width - GAP * (columns.length - 1);
  return columns.map((column) => (room * column.share) / shares);
}
