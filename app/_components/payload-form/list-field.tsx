"use client";

import { Button, Group, Pagination, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { numberWords } from "../words";
import { focusFirst } from "./focus";
import { GroupTitle } from "./group-field";
import { CardRows, LineRows, TableRows } from "./list-rows";
import classes from "./payload-form.module.css";
import type { Node } from "./schema";
import { type FieldProps, fieldId, useField, usePayloadForm } from "./use-payload";
import { emptyOf } from "./value";

const PER_PAGE = 50;

/** Rows that can be added, removed and put in order. Long lists show fifty at a time. */
export function ListField({ node, path }: FieldProps<"list">) {
  const { store } = usePayloadForm();
  const { problem } = useField(path);
  // Only the number of rows matters here; each row looks after its own fields.
  const count = useSyncExternalStore(store.subscribe, countRows, countRows);
  const [page, setPage] = useState(1);
  const firstWrong = useSyncExternalStore(store.subscribe, findWrong, findWrong);
  const pages = Math.max(1, Math.ceil(count / PER_PAGE));
  const shown = Math.min(page, pages);
  const from = (shown - 1) * PER_PAGE;

  // What is wrong must be on the page that is shown.
  useEffect(() => {
    if (firstWrong >= 0) setPage(Math.floor(firstWrong / PER_PAGE) + 1);
  }, [firstWrong]);

  function countRows(): number {
    const list = store.at(path);
    return Array.isArray(list) ? list.length : 0;
  }
  function findWrong(): number {
    const wrong = store.findings().find((finding) => path.every((step, at) => finding.path[at] === step));
    const index = wrong?.path[path.length];
    return typeof index === "number" ? index : -1;
  }
  const add = () => {
    store.insert(path, count, emptyOf(node.item));
    setPage(Math.ceil((count + 1) / PER_PAGE));
    requestAnimationFrame(() => focusFirst(fieldId([...path, count])));
  };
  const Rows = rowsFor(node.item);
  const noun = node.item.title === "" ? "row" : node.item.title.toLowerCase();
  return (
    <fieldset className={classes.group} id={fieldId(path)} aria-invalid={problem !== null}>
      <GroupTitle title={node.title} help={node.help} />
      <Stack gap="sm">
        {count > 0 && <Rows node={node} path={path} from={from} to={Math.min(from + PER_PAGE, count)} count={count} />}
        {problem !== null && <Problem>{problem}</Problem>}
        <Group justify="space-between">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            disabled={count >= node.max}
            onClick={add}
          >
            {count === 0 ? `Add a ${noun} to “${node.title}”` : `Add another ${noun}`}
          </Button>
          {pages > 1 && (
            <Group gap="sm">
              <Text size="xs" c="dimmed">
                {numberWords(from + 1)}–{numberWords(Math.min(from + PER_PAGE, count))} of {numberWords(count)}
              </Text>
              <Pagination
                size="xs"
                total={pages}
                value={shown}
                onChange={setPage}
                getControlProps={(control) => ({ "aria-label": `${control} page` })}
              />
            </Group>
          )}
        </Group>
      </Stack>
    </fieldset>
  );
}

export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  );
}

function rowsFor(item: Node) {
  if (item.type !== "group") return LineRows;
  const hasLong = item.fields.some(
    ({ node }) =>
      node.type !== "number" &&
      node.type !== "one-of" &&
      node.type !== "yes-no" &&
      !(node.type === "text" && node.format !== "prose"),
  );
  return hasLong ? CardRows : TableRows;
}
