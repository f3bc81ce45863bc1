import { View } from "@react-pdf/renderer";
import { Fragment, type ReactElement } from "react";
import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import { formatDay, formatDayShort, formatPeriod } from "../calendar";
import { formatCount, formatDecimal, parseDecimal } from "../decimal";
import type { DocumentInput, TemplateDocument, TemplateModule } from "../kind";
import { BarChart } from "../stationery/bar-chart";
import { KeyFigures } from "../stationery/key-figures";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { type Column, TABLE_START, Table, tableRows } from "../stationery/table";
import { Heading, Label, Paragraph, Prose } from "../stationery/text";
import { shipmentFindings } from "./rules";
import { type DepotReport, Shipment, STATUSES } from "./schema";
import {
  exceptionsOf,
  formatShare,
  formatWeight,
  palletsByDestination,
  type Total,
  totalsOf,
  weightPlaces,
} from "./totals";

type Input = DocumentInput<DepotReport>;

export const documents: TemplateModule<DepotReport>["documents"] = {
  summary: (input) => ({ flow: "whole", element: summary(input, shipmentsOf(input)) }),
  exceptions: (input) => exceptions(input, exceptionsOf(shipmentsOf(input))),
  shipments: (input) => shipments(input, shipmentsOf(input)),
};

/** Returns the rows of the report, wherever they came from. Throws `table_invalid` where they do not belong to the month. */
function shipmentsOf(input: Input): readonly Shipment[] {
  const given = input.payload.shipments;
  if (Array.isArray(given)) return given;
  const rows = z.array(Shipment).parse(input.tables.shipments ?? []);
  const findings = shipmentFindings(rows, input.payload.period);
  if (findings.length > 0) throw new PacketFailure("table_invalid", { findings });
  return rows;
}

function summary(input: Input, rows: readonly Shipment[]): ReactElement {
  const { payload } = input;
  const { byStatus, all } = totalsOf(rows);
  const width = contentWidth(input.letterhead.paper);
  const places = weightPlaces(rows);
  return (
    <Sheet input={input} head="letter" {...footer(input)}>
      <Label after={4}>{`Depot report ${payload.depot.ref}`}</Label>
      <Heading level={1} isFirst>{`${payload.depot.name}, ${formatPeriod(payload.period)}`}</Heading>
      <Label after={18}>{`Prepared by ${payload.preparedBy} on ${formatDay(input.revision.preparedOn)}`}</Label>
      <KeyFigures
        width={width}
        figures={[
          { label: "Shipments", value: formatCount(all.shipments), note: `${formatCount(all.pallets)} pallets` },
          {
            label: "Delivered as planned",
            value: `${formatShare(byStatus.delivered.shipments, all.shipments)} %`,
            note: `${formatCount(all.shipments - byStatus.delivered.shipments)} exceptions`,
          },
          { label: "Weight", value: formatDecimal(all.grams / 1_000n, 0), note: "Kilograms" },
          { label: "Value", value: formatDecimal(all.value / 100n, 0), note: payload.currency },
        ]}
      />
      {payload.remarks === undefined ? null : <Prose>{payload.remarks}</Prose>}
      <Heading level={2} ahead={TABLE_START}>
        Totals by status
      </Heading>
      <Table
        width={width}
        columns={[
          { title: "Status", share: 22 },
          { title: "Shipments", share: 16, align: "right" },
          { title: "Share %", share: 12, align: "right" },
          { title: "Pallets", share: 14, align: "right" },
          { title: "Weight kg", share: 18, align: "right" },
          { title: `Value ${payload.currency}`, share: 20, align: "right" },
        ]}
        rows={STATUSES.map((status) => totalCells(sentenceCase(status), byStatus[status], all.shipments, places))}
        totals={totalCells("All shipments", all, all.shipments, places)}
      />
      <Destinations rows={rows} width={width} color={input.letterhead.accent} />
    </Sheet>
  );
}

const DESTINATIONS_SHOWN = 8;

/** Where most pallets went: one idea, each bar with its number. */
function Destinations({
  rows,
  width,
  color,
}: {
  readonly rows: readonly Shipment[];
  readonly width: number;
  readonly color: string;
}) {
  const destinations = palletsByDestination(rows);
  const shown = destinations.slice(0, DESTINATIONS_SHOWN);
  const most = shown[0]?.pallets ?? 0;
  if (most === 0) return null;
  const title =
    destinations.length > shown.length
      ? `Pallets by destination, the ${shown.length} largest of ${destinations.length}`
      : "Pallets by destination";
  return (
    <View style={{ marginTop: 14 }}>
      <BarChart
        title={title}
        max={most}
        width={width}
        color={color}
        bars={shown.map(({ destination, pallets }) => ({
          label: destination,
          value: pallets,
          text: formatCount(pallets),
        }))}
      />
    </View>
  );
}

function totalCells(name: string, total: Total, shipmentsInAll: number, places: number): string[] {
  return [
    name,
    formatCount(total.shipments),
    formatShare(total.shipments, shipmentsInAll),
    formatCount(total.pallets),
    formatWeight(total.grams, places),
    formatDecimal(total.value, 2),
  ];
}

function exceptions(input: Input, rows: readonly Shipment[]): TemplateDocument {
  const columns: Column[] = [
    { title: "Reference", share: 13 },
    { title: "Date", share: 8 },
    { title: "Customer", share: 26 },
    { title: "Status", share: 10 },
    { title: "Note", share: 43 },
  ];
  const cells = (row: Shipment) => [
    row.reference,
    formatDayShort(row.date),
    row.customer,
    sentenceCase(row.status),
    row.note ?? "",
  ];
  const intro = (
    <Fragment key="intro">
      <Heading level={1} isFirst ahead={TABLE_START}>
        Exceptions
      </Heading>
      {rows.length === 0 ? <Paragraph>Every shipment of the month was delivered.</Paragraph> : null}
    </Fragment>
  );
  return tableDocument(input, { columns, rows, cells, intro });
}

function shipments(input: Input, rows: readonly Shipment[]): TemplateDocument {
  const places = weightPlaces(rows);
  const columns: Column[] = [
    { title: "Reference", share: 14 },
    { title: "Date", share: 8 },
    { title: "Customer", share: 34 },
    { title: "Destination", share: 20 },
    { title: "Pallets", share: 8, align: "right" },
    { title: "Weight kg", share: 13, align: "right" },
    { title: `Value ${input.payload.currency}`, share: 14, align: "right" },
    { title: "Status", share: 12 },
  ];
  const cells = (row: Shipment) => [
    row.reference,
    formatDayShort(row.date),
    row.customer,
    row.destination,
    formatCount(row.pallets),
    formatWeight(parseDecimal(row.weightKg, 3), places),
    formatDecimal(parseDecimal(row.value, 2), 2),
    sentenceCase(row.status),
  ];
  const { all } = totalsOf(rows);
  const totals = [
    "Total",
    "",
    "",
    "",
    formatCount(all.pallets),
    formatWeight(all.grams, places),
    formatDecimal(all.value, 2),
    "",
  ];
  const intro = (
    <Heading key="intro" level={1} isFirst ahead={TABLE_START}>
      Shipments
    </Heading>
  );
  return tableDocument(input, { columns, rows, cells, intro, totals });
}

interface TableDocumentProps {
  readonly columns: readonly Column[];
  readonly rows: readonly Shipment[];
  readonly cells: (row: Shipment) => string[];
  readonly intro: ReactElement;
  readonly totals?: readonly string[];
}

/** One long table as a document of its own: the heading opens it, the totals end it. */
function tableDocument(input: Input, { columns, rows, cells, intro, totals }: TableDocumentProps): TemplateDocument {
  return {
    flow: "rows",
    rows: rows.length,
    window: (from, to) => (
      <Sheet input={input} head="running" {...footer(input)}>
        {from === 0 ? intro : null}
        {tableRows({
          columns,
          rows: rows.slice(from, to).map(cells),
          width: contentWidth(input.letterhead.paper),
          from,
          rowsInAll: rows.length,
          isDense: true,
          isEnd: to === rows.length,
          ...(totals === undefined ? {} : { totals }),
        })}
      </Sheet>
    ),
  };
}

function footer(input: Input) {
  return { title: `Depot report, ${input.payload.depot.name}`, period: formatPeriod(input.payload.period) };
}

function sentenceCase(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
