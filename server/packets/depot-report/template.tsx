import { Fragment, type ReactElement } from "react";
import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import { formatDay, formatDayShort, formatPeriod } from "../calendar";
import { formatCount, formatDecimal, parseDecimal } from "../decimal";
import type { DocumentInput, TemplateDocument, TemplateModule } from "../kind";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { type Column, TABLE_START, Table, tableRows } from "../stationery/table";
import { Heading, Label, Paragraph, Prose } from "../stationery/text";
import { shipmentFindings } from "./rules";
import { type DepotReport, Shipment, STATUSES } from "./schema";
import { exceptionsOf, type Total, totalsOf } from "./totals";

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
  return (
    <Sheet input={input} head="letter" {...footer(input)}>
      <Heading level={1} isFirst>{`${payload.depot.name}, ${formatPeriod(payload.period)}`}</Heading>
      <Label
        after={10}
      >{`Depot report ${payload.depot.ref}. Prepared by ${payload.preparedBy} on ${formatDay(input.revision.preparedOn)}.`}</Label>
      {payload.remarks === undefined ? null : <Prose>{payload.remarks}</Prose>}
      <Heading level={2} ahead={TABLE_START}>
        Totals by status
      </Heading>
      <Table
        width={contentWidth(input.letterhead.paper)}
        columns={[
          { title: "Status", share: 24 },
          { title: "Shipments", share: 18, align: "right" },
          { title: "Pallets", share: 18, align: "right" },
          { title: "Weight kg", share: 20, align: "right" },
          { title: `Value ${payload.currency}`, share: 20, align: "right" },
        ]}
        rows={STATUSES.map((status) => totalCells(sentenceCase(status), byStatus[status]))}
        totals={totalCells("All shipments", all)}
      />
    </Sheet>
  );
}

function totalCells(name: string, total: Total): string[] {
  return [
    name,
    formatCount(total.shipments),
    formatCount(total.pallets),
    formatDecimal(total.grams, 3),
    formatDecimal(total.value, 2),
  ];
}

function exceptions(input: Input, rows: readonly Shipment[]): TemplateDocument {
  const columns: Column[] = [
    { title: "Reference", share: 17 },
    { title: "Date", share: 10 },
    { title: "Customer", share: 24 },
    { title: "Status", share: 12 },
    { title: "Note", share: 37 },
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
  const columns: Column[] = [
    { title: "Reference", share: 17 },
    { title: "Date", share: 10 },
    { title: "Customer", share: 25 },
    { title: "Destination", share: 20 },
    { title: "Pallets", share: 9, align: "right" },
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
    formatDecimal(parseDecimal(row.weightKg, 3), 3),
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
    formatDecimal(all.grams, 3),
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
          ...(totals !== undefined && to === rows.length ? { totals } : {}),
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
