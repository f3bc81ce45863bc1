import { z } from "zod";
import { count, day, kilograms, line, money, period, prose, reference, sourceId } from "../fields";

export const STATUSES = ["delivered", "delayed", "damaged", "returned", "lost"] as const;
export type Status = (typeof STATUSES)[number];

/** One shipment, as JSON. */
export const Shipment = z.strictObject({
  reference: reference().meta({ title: "Reference", description: "The consignment number.", examples: ["SH-204718"] }),
  date: day().meta({ title: "Date", description: "The day it left the depot.", examples: ["2026-11-04"] }),
  customer: line(120).meta({ title: "Customer", description: "Who sent for it.", examples: ["Kowalczyk & Søn"] }),
  destination: line(120).meta({ title: "Destination", description: "Town and country.", examples: ["Gdańsk, PL"] }),
  pallets: count(10_000).meta({ title: "Pallets", description: "Whole pallets.", examples: [4] }),
  weightKg: kilograms().meta({
    title: "Weight (kg)",
    description: "Gross, up to three decimals.",
    examples: ["1284.5"],
  }),
  value: money().meta({
    title: "Value",
    description: "In the currency of the report.",
    examples: ["8420.00"],
    widget: "money",
  }),
  status: z
    .enum(STATUSES, { error: `Write one of: ${STATUSES.join(", ")}.` })
    .meta({ title: "Status", description: "At the end of the month.", examples: ["delivered"] }),
  note: line(300, 0)
    .optional()
    .meta({
      title: "Note",
      description: "What went wrong, where something did.",
      examples: ["Two pallets wet; claim opened."],
    }),
});
export type Shipment = z.infer<typeof Shipment>;

const wholeNumberText = z
  .string({ error: "Write a whole number." })
  .trim()
  .regex(/^(0|[1-9]\d{0,4})$/, { error: "Write a whole number from 0 to 10000." })
  .transform(Number)
  .pipe(count(10_000));

/** One shipment as a row of a CSV file: every cell is text, and becomes the same as in JSON. */
export const ShipmentRow = z.strictObject({
  ...Shipment.shape,
  pallets: wholeNumberText,
  status: z.string({ error: "Write a status." }).trim().toLowerCase().pipe(Shipment.shape.status),
  note: line(300, 0).default(""),
});

/** What a revision of a depot report must contain. */
export const DepotReport = z
  .strictObject({
    depot: z
      .strictObject({
        ref: reference().meta({ title: "Depot code", description: "It names the report.", examples: ["D-07"] }),
        name: line(160).meta({
          title: "Depot",
          description: "The name on the report.",
          examples: ["Rotterdam Waalhaven"],
        }),
      })
      .meta({ title: "Depot", description: "Whose shipments these are." }),
    period: period().meta({
      title: "Month",
      description: "The accounting month.",
      examples: ["2026-11"],
      widget: "period",
    }),
    currency: z
      .enum(["EUR", "GBP", "USD", "CHF", "SEK", "NOK", "DKK", "PLN"], { error: "Choose a currency." })
      .meta({ title: "Currency", description: "Of every value in the report.", examples: ["EUR"] }),
    preparedBy: line(120).meta({
      title: "Prepared by",
      description: "Name on the report.",
      examples: ["Femke de Groot"],
    }),
    remarks: prose(2_000)
      .optional()
      .meta({
        title: "Remarks",
        description: "What the reader should know first.",
        examples: ["Quay 3 was closed for two days."],
        widget: "textarea",
      }),
    shipments: z
      .union([
        z
          .strictObject({
            table: sourceId().meta({
              title: "Table",
              description: "A CSV file with one shipment per row.",
              examples: ["src_shipments"],
              widget: "source-table",
            }),
          })
          .meta({ title: "From a file", description: "A CSV file of up to 100,000 rows." }),
        z
          .array(Shipment)
          .max(2_000, { error: "Send more than 2,000 shipments as a file." })
          .meta({ title: "Row by row", description: "Up to 2,000 shipments." }),
      ])
      .meta({ title: "Shipments", description: "As a CSV file, or row by row.", examples: [] }),
  })
  .meta({ title: "Depot report", description: "A depot's month: totals by status, exceptions, every shipment." });
export type DepotReport = z.infer<typeof DepotReport>;
