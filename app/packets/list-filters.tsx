"use client";

import { CloseButton, Group, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { FilterChips } from "../_components/filter-chips";
import type { Filter } from "./filter";
import classes from "./packets.module.css";
import { PUBLIC_STATES, STATE_WORDS } from "./states";
import type { useFilter } from "./use-filter";

interface Props {
  readonly filter: Filter;
  readonly kinds: readonly { readonly name: string; readonly title: string }[];
  readonly onChange: ReturnType<typeof useFilter>["change"];
}

const TYPING_MS = 300;

/** Search, kinds and states. `/` and Ctrl-K lead to the search. */
export function ListFilters({ filter, kinds, onChange }: Props) {
  return (
    <div className={classes.filters}>
      <Search
        text={filter.text ?? ""}
        onChange={(text) => onChange({ text: text === "" ? undefined : text }, "replace")}
      />
      <Group gap="sm">
        <FilterChips
          label="State"
          options={PUBLIC_STATES.map((value) => ({ value, label: STATE_WORDS[value] }))}
          chosen={filter.state}
          onChoose={(state) => onChange({ state })}
        />
        {kinds.length > 1 && (
          <>
            <span className={classes.divider} />
            <FilterChips
              label="Kind"
              options={kinds.map((kind) => ({ value: kind.name, label: kind.title }))}
              chosen={filter.kind}
              onChoose={(kind) => onChange({ kind })}
            />
          </>
        )}
      </Group>
    </div>
  );
}

function Search({ text, onChange }: { readonly text: string; onChange(text: string): void }) {
  const [typed, setTyped] = useState(text);
  const field = useRef<HTMLInputElement>(null);
  const report = useDebouncedCallback((value: string) => onChange(value.trim()), TYPING_MS);
  useHotkeys([
    ["/", () => field.current?.focus()],
    ["mod+K", () => field.current?.focus()],
  ]);
  // Back and "show all" change the address from outside; what is being typed at the moment stays.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(text);
  }, [text]);
  const write = (value: string) => {
    setTyped(value);
    report(value);
  };
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label="Search packets"
      placeholder="Name, number or period"
      className={classes.search}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={typed !== "" && <CloseButton size="sm" aria-label="Clear the search" onClick={() => write("")} />}
      value={typed}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}
