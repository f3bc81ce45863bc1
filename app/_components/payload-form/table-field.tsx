"use client";

import { Input, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../_trpc/client";
import { OneFile } from "../uploads/one-file";
import type { Source } from "../uploads/use-sources";
import { counted, numberWords } from "../words";
import { type FieldProps, fieldId, useField, usePayloadForm } from "./use-payload";

/** A table that comes as a CSV file. Rows that need another look are listed by the row of the spreadsheet. */
export function TableField({ node, path, isRequired }: FieldProps<"table">) {
  const { kind } = usePayloadForm();
  const { value, problem, write } = useField(path);
  const described = useQuery(useApi().packets.describeKind.queryOptions({ kind }));
  const tables = described.data?.tables ?? [];
  const table = tables.find(({ name }) => path.includes(name)) ?? tables[0];
  if (table === undefined) return null;
  return (
    <Input.Wrapper
      label={isRequired ? node.title : `${node.title} (optional)`}
      description={node.help}
      error={problem}
      labelElement="div"
    >
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        Columns: {table.columns.join(", ")}. Commas or semicolons, with a header row, up to {numberWords(table.rowsMax)}{" "}
        rows.
      </Text>
      <OneFile
        id={fieldId(path)}
        label="Choose a CSV file"
        purpose={`${kind}/${table.name}`}
        accept=".csv,text/csv,.txt,.tsv"
        sourceId={typeof value === "string" ? value : ""}
        onChange={write}
        details={(source) => <RowFindings source={source} />}
      />
    </Input.Wrapper>
  );
}

const SHOWN_MAX = 50;

function RowFindings({ source }: { readonly source: Source }) {
  if (source.findings.length === 0) return null;
  const rest = source.findings.length - SHOWN_MAX;
  return (
    <Table mt="sm" verticalSpacing={4} horizontalSpacing={6} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={44}>Row</Table.Th>
          <Table.Th w={84}>Column</Table.Th>
          <Table.Th>What to do</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {source.findings.slice(0, SHOWN_MAX).map((finding) => (
          <Table.Tr key={`${finding.row} ${finding.column} ${finding.code}`}>
            <Table.Td>{numberWords(finding.row)}</Table.Td>
            <Table.Td>{finding.column}</Table.Td>
            <Table.Td>{finding.message}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      {rest > 0 && <Table.Caption>{`and ${counted(rest, "more finding", "more findings")}`}</Table.Caption>}
    </Table>
  );
}
