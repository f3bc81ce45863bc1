"use client";

import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, FileButton, TextInput, Tooltip } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";
import type { Dispatch } from "react";
import { RowTools } from "../../../_components/row-tools";
import classes from "./board-book.module.css";
import type { Row, RowsAction, SectionRow } from "./rows";

interface Props {
  readonly row: SectionRow;
  readonly index: number;
  readonly rows: readonly Row[];
  readonly problem: string | undefined;
  readonly dispatch: Dispatch<RowsAction>;
}

/** The head of a section: its name, and what can be done with it. It is moved by its arrows, together with its files. */
export function SectionRowView({ row, index, rows, problem, dispatch }: Props) {
  const { setNodeRef, transform, transition } = useSortable({ id: row.key, disabled: { draggable: true } });
  const sections = rows.filter((candidate) => candidate.type === "section");
  const place = sections.findIndex((section) => section.key === row.key);
  const name = row.title.trim() === "" ? `section ${place + 1}` : row.title;
  const holdsFirst = index === 0 && rows[1]?.type === "file";
  return (
    <li
      ref={setNodeRef}
      className={classes.section}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <TextInput
        className={classes.grow ?? ""}
        aria-label={`Name of section ${place + 1}`}
        placeholder="Name of the section, such as Finance"
        maxLength={160}
        error={problem}
        value={row.title}
        onChange={(event) => dispatch({ type: "rename", key: row.key, title: event.currentTarget.value })}
      />
      <RowTools
        name={name}
        isFirst={place === 0}
        isLast={place === sections.length - 1}
        isKept={sections.length === 1 || holdsFirst}
        onUp={() => dispatch({ type: "move", key: row.key, to: index - 1 })}
        onDown={() => dispatch({ type: "move", key: row.key, to: index + 1 })}
        onRemove={() => dispatch({ type: "remove", key: row.key })}
      >
        <FileButton
          multiple
          accept="application/pdf,image/png,image/jpeg"
          onChange={(files) => dispatch({ type: "add-files", files, section: row.key })}
        >
          {(props) => (
            <Tooltip label="Add files to this section">
              <ActionIcon {...props} variant="subtle" color="gray" size="lg" aria-label={`Add files to ${name}`}>
                <IconFilePlus size={18} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
      </RowTools>
    </li>
  );
}
