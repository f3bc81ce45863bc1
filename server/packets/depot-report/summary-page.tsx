import type { ReactElement } from "react";
import { formatDay, formatPeriod } from "../calendar";
import { formatCount, formatDecimal } from "../decimal";
import type { DocumentInput } from "../kind";
import { BarChart } from "../stationery/bar-chart";
import { Block } from "../stationery/block";
import { KeyFigures } from "../stationery/key-figures";
import { contentWidth } from "../stationery/measures";
import { Sheet } from "../stationery/page";
import { TABLE_START, Table } from "../stationery/table";
import { Heading, Label, Prose } from "../stationery/text";
import { footer, statusName } from "./names";
import { type DepotReport, type Shipment, STATUSES } from "./schema";
import { formatShare, formatWeight, palletsByDestination, type Total, totalsOf, weightPlaces } from "./totals";

type Input = DocumentInput<DepotReport>;

/** The month on one page: four figures, remarks, totals by status, and where the pallets went. */
export function summary(input: Input, rows: readonly Shipment[]): ReactElement {
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
            note: exceptionsIn(all.shipments - byStatus.delivered.shipments),
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
        rows={STATUSES.map((status) => totalCells(statusName(status), byStatus[status], all.shipments, places))}
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
    <Block before={14}>
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
    </Block>
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

function exceptionsIn(count: number): string {
  return count === 1 ? "1 exception" : `${formatCount(count)} exceptions`;
}
