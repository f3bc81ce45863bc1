import { Fragment, type ReactElement } from "react";
import { z } from "zod";
import { PacketFailure } from "@/server/domain/failure";
import { formatDayShort } from "../calendar";
import { formatCount, formatDecimal, parseDecimal } from "../decimal";
import type { DocumentInput, TemplateDocument, TemplateModule } from "../kind";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { type Column, TABLE_START, tableRows } from "../stationery/table";
import { Heading, Paragraph } from "../stationery/text";
import { footer, statusName } from "./names";
import { shipmentFindings } from "./rules";
import { type DepotReport, Shipment } from "./schema";
import { summary } from "./summary-page";
import { exceptionsOf, formatWeight, totalsOf, weightPlaces } from "./totals";

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
    statusName(row.status),
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
    statusName(row.status),
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
