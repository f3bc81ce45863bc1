"use client";

import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { Button, Group, Stack, Text } from "@mantine/core";
import { Dropzone, type FileRejection } from "@mantine/dropzone";
import { notifications } from "@mantine/notifications";
import { IconFiles, IconPlus } from "@tabler/icons-react";
import { type Dispatch, useId } from "react";
import { Panel } from "../../../_components/panel";
import { byteWords, counted } from "../../../_components/words";
import type { Limits } from "../limits";
import classes from "./board-book.module.css";
import type { Sources } from "./book";
import { FileRowView } from "./file-row";
import type { Row, RowsAction } from "./rows";
import { SectionRowView } from "./section-row";

interface Props {
  readonly rows: readonly Row[];
  readonly sources: Sources;
  readonly problems: ReadonlyMap<string, string>;
  readonly limits: Limits;
  readonly dispatch: Dispatch<RowsAction>;
}

const ACCEPTED = { "application/pdf": [".pdf"], "image/png": [".png"], "image/jpeg": [".jpg", ".jpeg"] };
const FILES_MAX = 500;

/** The book's files in order, under their sections. They are put in order by dragging, by the keyboard, or by the arrows of each row. */
export function RowList({ rows, sources, problems, limits, dispatch }: Props) {
  const id = useId();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const files = rows.filter((row) => row.type === "file").length;
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const to = rows.findIndex((row) => row.key === over?.id);
    if (over !== null && active.id !== over.id && to >= 0) dispatch({ type: "move", key: String(active.id), to });
  };
  return (
    <Panel
      title="Files"
      aside={
        <Text size="sm" c="dimmed">
          {counted(files, "file")}
        </Text>
      }
    >
      <Stack gap="md">
        <Dropzone
          className={classes.drop ?? ""}
          accept={ACCEPTED}
          maxSize={limits.uploadBytesMax}
          maxFiles={FILES_MAX - files}
          onDrop={(dropped) => dispatch({ type: "add-files", files: dropped, section: null })}
          onReject={tellRejected}
          aria-label="Add files"
          inputProps={{ "aria-label": "Files to add" }}
        >
          <Group gap="sm" justify="center" wrap="nowrap">
            <IconFiles size={24} stroke={1.5} aria-hidden="true" />
            <Text size="sm">
              Drop PDF, PNG or JPEG files here, or press to choose.{" "}
              <Text span size="sm" c="dimmed">
                Each up to {byteWords(limits.uploadBytesMax)}.
              </Text>
            </Text>
          </Group>
        </Dropzone>
        <DndContext
          id={id}
          sensors={sensors}
          collisionDetection={closestCenter}
          onDragEnd={onDragEnd}
          accessibility={wordsFor(rows)}
        >
          <SortableContext items={rows.map((row) => row.key)} strategy={verticalListSortingStrategy}>
            <ol className={classes.rows}>
              {rows.map((row, index) =>
                row.type === "section" ? (
                  <SectionRowView
                    key={row.key}
                    row={row}
                    index={index}
                    rows={rows}
                    problem={problems.get(row.key)}
                    dispatch={dispatch}
                  />
                ) : (
                  <FileRowView
                    key={row.key}
                    row={row}
                    index={index}
                    count={rows.length}
                    source={row.upload.type === "sent" ? sources.get(row.upload.sourceId) : undefined}
                    problem={problems.get(row.key)}
                    dispatch={dispatch}
                  />
                ),
              )}
            </ol>
          </SortableContext>
        </DndContext>
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: "flex-start" }}
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => dispatch({ type: "add-section" })}
        >
          Add a section
        </Button>
      </Stack>
    </Panel>
  );
}

function tellRejected(rejected: FileRejection[]): void {
  for (const { file, errors } of rejected.slice(0, 3)) {
    const code = errors[0]?.code;
    const message =
      code === "file-too-large"
        ? "It is too large. Split it or make it smaller."
        : code === "too-many-files"
          ? "A book holds at most 500 files."
          : "Only PDF, PNG and JPEG can be bound. Save documents of other programs as PDF first.";
    notifications.show({ color: "problem", title: file.name, message, autoClose: 10_000 });
  }
}

/** What a screen reader says while a row is carried by the keyboard. */
function wordsFor(rows: readonly Row[]) {
  const nameOf = (id: unknown) => rows.find((row) => row.key === id)?.title || "this row";
  const placeOf = (id: unknown) => `place ${rows.findIndex((row) => row.key === id) + 1} of ${rows.length}`;
  type Moment = { active: { id: unknown }; over: { id: unknown } | null };
  return {
    announcements: {
      onDragStart: ({ active }: Pick<Moment, "active">) =>
        `Picked up ${nameOf(active.id)}. It is at ${placeOf(active.id)}.`,
      onDragOver: ({ active, over }: Moment) =>
        over === null ? undefined : `${nameOf(active.id)} is now at ${placeOf(over.id)}.`,
      onDragEnd: ({ active, over }: Moment) =>
        `Put down ${nameOf(active.id)}${over === null ? "" : ` at ${placeOf(over.id)}`}.`,
      onDragCancel: ({ active }: Moment) => `${nameOf(active.id)} was put back.`,
    },
    screenReaderInstructions: {
      draggable: "Press space to pick up, the arrow keys to move, space to put down, escape to put back.",
    },
  };
}
