import type { ReactElement } from "react";
import { Sheet } from "@/server/packets/stationery/page";
import { type Column, tableRows } from "@/server/packets/stationery/table";
import { Heading } from "@/server/packets/stationery/text";

const COLUMNS: readonly Column[] = [
  { title: "Name", share: 2 },
  { title: "Remark", share: 3 },
  { title: "Number", share: 1, align: "right" },
];

/** Returns the page element for rows `from` to `to` of a table, as a kind's template makes it. */
export function tableSheet(rows: readonly (readonly string[])[]): (from: number, to: number) => ReactElement {
  return (from, to) => (
    <Sheet
      input={{
        letterhead: { tenantName: "Tenant", accent: "#0f5e63", logo: null, paper: "A4" },
        revision: { number: 1, shortId: "abc", preparedOn: "2026-12-01" },
      }}
      title="Table"
      period="2026"
      head="running"
    >
      {from === 0 ? (
        <Heading level={1} isFirst>
          Heading
        </Heading>
      ) : null}
      {tableRows({
        columns: COLUMNS,
        rows: rows.slice(from, to),
        width: 480,
        from,
        rowsInAll: rows.length,
        isEnd: to === rows.length,
        totals: ["Total", "", "1,234"],
      })}
    </Sheet>
  );
}
