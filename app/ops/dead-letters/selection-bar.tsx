"use client";

import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { counted, numberWords } from "../../_components/words";
import classes from "../ops.module.css";
import { SettleDialog } from "../settle-dialog";
import type { Letter } from "./dead-letter-table";
import type { LetterFilter } from "./filter";
import type { Outcome } from "./outcome-words";

interface Props {
  readonly selected: readonly Letter[];
  /** How many match the filter. */
  readonly total: number;
  /** True where all that match are meant, on this page or not. */
  readonly isAll: boolean;
  readonly filter: LetterFilter;
  onAll(): void;
  onClear(): void;
  onSettled(outcome: Outcome): void;
}

/** How many are chosen, and what can be done with them. Nothing happens before a reason is given. */
export function SelectionBar({ selected, total, isAll, filter, onAll, onClear, onSettled }: Props) {
  const [task, setTask] = useState<"redrive" | "discard" | null>(null);
  const count = isAll ? total : selected.length;
  const { page: _, ...narrowing } = filter;
  return (
    <section className={classes.bar} aria-label="Chosen dead letters">
      <Text size="sm" fw={500} role="status">
        {count === 0 ? "Select dead letters to redrive or discard them." : `${numberWords(count)} selected`}
      </Text>
      <Group gap="xs">
        {!isAll && (
          <Button variant="subtle" size="xs" onClick={onAll}>
            Select all {numberWords(total)} that match
          </Button>
        )}
        {count > 0 && (
          <>
            <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
              Select none
            </Button>
            <Button variant="default" size="xs" onClick={() => setTask("discard")}>
              Discard
            </Button>
            <Button size="xs" onClick={() => setTask("redrive")}>
              Redrive
            </Button>
          </>
        )}
      </Group>
      <SettleDialog
        task={task}
        count={count}
        what={counted(count, "dead letter")}
        choice={isAll ? { filter: narrowing } : { jobIds: selected.map((row) => row.jobId) }}
        onClose={() => setTask(null)}
        onSettled={onSettled}
      />
    </section>
  );
}
