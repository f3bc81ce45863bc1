"use client";

import { Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import type { ClipboardEvent } from "react";
import { RowTools } from "../row-tools";
import { cellsFromClipboard } from "./paste";
import classes from "./payload-form.module.css";
import type { Node, Path } from "./schema";
import { fieldId, usePayloadForm } from "./use-payload";

interface RowsProps {
  readonly node: Extract<Node, { type: "list" }>;
  readonly path: Path;
  /** The rows shown: from here, up to but without `to`. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** One value per row. */
export function LineRows({ node, path, from, to, count }: RowsProps) {
  const { Control } = usePayloadForm();
  return (
    <Stack gap={6}>
      {indices(from, to).map((index) => (
        <div key={index} className={classes.line}>
          <Control
            node={node.item}
            path={[...path, index]}
            isRequired
            hiddenLabel={`${node.title}, row ${index + 1}`}
          />
          <ListRowTools path={path} index={index} count={count} />
        </div>
      ))}
    </Stack>
  );
}

/** Short fields as a table that takes rows copied from a spreadsheet. */
export function TableRows({ node, path, from, to, count }: RowsProps) {
  const { store, Control } = usePayloadForm();
  const fields = node.item.type === "group" ? node.item.fields : [];
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const rows = cellsFromClipboard(event.clipboardData.getData("text/plain"), fields, column);
    if (rows === null) return;
    event.preventDefault();
    const before = store.at(path);
    const list: unknown[] = Array.isArray(before) ? [...before] : [];
    for (const [offset, cells] of rows.entries()) {
      if (row + offset >= node.max) break;
      list[row + offset] = { ...Object(list[row + offset]), ...cells };
    }
    store.write(path, list);
  };
  return (
    <div className={classes.tableScroll}>
      <table className={classes.rows} aria-label={node.title}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Row</VisuallyHidden>
            </th>
            {fields.map((field) => (
              <th key={field.name} scope="col" title={field.node.help ?? undefined}>
                {field.isRequired ? field.node.title : `${field.node.title} (optional)`}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {indices(from, to).map((index) => (
            <tr key={index} id={fieldId([...path, index])}>
              <td className={classes.number}>{index + 1}</td>
              {fields.map((field, column) => (
                <td
                  key={field.name}
                  className={field.node.type === "number" ? classes.narrow : undefined}
                  onPaste={(event) => paste(event, index, column)}
                >
                  <Control
                    node={field.node}
                    path={[...path, index, field.name]}
                    isRequired={field.isRequired}
                    hiddenLabel={`${field.node.title}, row ${index + 1}`}
                  />
                </td>
              ))}
              <td className={classes.tools}>
                <ListRowTools path={path} index={index} count={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Rows with long texts, one below the other. */
export function CardRows({ node, path, from, to, count }: RowsProps) {
  const { Control } = usePayloadForm();
  return (
    <Stack gap="sm">
      {indices(from, to).map((index) => (
        <div key={index} className={classes.card} id={fieldId([...path, index])}>
          <Group justify="space-between" mb={4}>
            <Text size="sm" fw={500} c="dimmed">
              {index + 1} of {count}
            </Text>
            <ListRowTools path={path} index={index} count={count} />
          </Group>
          <Control node={{ ...node.item, title: "" }} path={[...path, index]} isRequired />
        </div>
      ))}
    </Stack>
  );
}

function ListRowTools({ path, index, count }: { readonly path: Path; readonly index: number; readonly count: number }) {
  const { store } = usePayloadForm();
  return (
    <RowTools
      name={`row ${index + 1}`}
      size="md"
      isFirst={index === 0}
      isLast={index === count - 1}
      onUp={() => store.move(path, index, index - 1)}
      onDown={() => store.move(path, index, index + 1)}
      onRemove={() => store.remove(path, index)}
    />
  );
}

function indices(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
}
