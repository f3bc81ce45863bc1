"use client";

import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, Checkbox, TextInput } from "@mantine/core";
import { IconGripVertical } from "@tabler/icons-react";
import type { Dispatch } from "react";
import { RowTools } from "../../../_components/row-tools";
import type { Source } from "../../../_components/uploads/use-sources";
import classes from "./board-book.module.css";
import { FileVerdict } from "./file-verdict";
import type { FileRow, RowsAction } from "./rows";

interface Props {
  readonly row: FileRow;
  readonly index: number;
  readonly count: number;
  readonly source: Source | null | undefined;
  readonly problem: string | undefined;
  readonly dispatch: Dispatch<RowsAction>;
}

/** One file of the book: its place, its title, how far it is and what was found in it. */
export function FileRowView({ row, index, count, source, problem, dispatch }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: row.key,
  });
  const name = row.title.trim() === "" ? "this file" : row.title;
  const move = (to: number) => dispatch({ type: "move", key: row.key, to });
  return (
    <li
      ref={setNodeRef}
      className={classes.file}
      data-dragging={isDragging}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <ActionIcon
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        className={classes.grip ?? ""}
        variant="transparent"
        color="gray"
        size="lg"
        aria-label={`Drag ${name}`}
      >
        <IconGripVertical size={18} aria-hidden="true" />
      </ActionIcon>
      <div className={classes.body}>
        <div className={classes.head}>
          <TextInput
            className={classes.grow ?? ""}
            aria-label="Title of the file"
            maxLength={200}
            error={problem}
            value={row.title}
            onChange={(event) => dispatch({ type: "rename", key: row.key, title: event.currentTarget.value })}
          />
          <RowTools
            name={name}
            isFirst={index <= 1}
            isLast={index === count - 1}
            onUp={() => move(index - 1)}
            onDown={() => move(index + 1)}
            onRemove={() => dispatch({ type: "remove", key: row.key })}
          />
        </div>
        <div className={classes.foot}>
          <FileVerdict row={row} source={source} dispatch={dispatch} />
          <Checkbox
            size="xs"
            label="Closed session"
            aria-label={`Closed session: ${name}`}
            checked={row.closed}
            onChange={(event) => dispatch({ type: "close", key: row.key, closed: event.currentTarget.checked })}
          />
        </div>
      </div>
    </li>
  );
}
