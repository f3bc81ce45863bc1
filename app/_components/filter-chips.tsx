"use client";

import { Group, UnstyledButton } from "@mantine/core";
import classes from "./filter-chips.module.css";

interface Props<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: Value | undefined;
  onChoose(value: Value | undefined): void;
}

/** One narrowing of a list: pressing the chosen chip again takes it off. */
export function FilterChips<Value extends string>({ label, options, chosen, onChoose }: Props<Value>) {
  return (
    <Group gap={6} role="group" aria-label={label}>
      {options.map((option) => (
        <UnstyledButton
          key={option.value}
          className={classes.chip}
          aria-pressed={option.value === chosen}
          onClick={() => onChoose(option.value === chosen ? undefined : option.value)}
        >
          {option.label}
        </UnstyledButton>
      ))}
    </Group>
  );
}
