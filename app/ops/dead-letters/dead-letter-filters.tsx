"use client";

import { FilterChips } from "../../_components/filter-chips";
import classes from "../ops.module.css";
import { type LetterFilter, NARROWINGS, type Narrowing } from "./filter";

interface Props {
  readonly choices: Readonly<Record<Narrowing, readonly { readonly value: string; readonly count: number }[]>>;
  readonly filter: LetterFilter;
  onChange(filter: LetterFilter): void;
}

const LABELS: Record<Narrowing, string> = { code: "Code", stage: "Stage", kind: "Kind", tenantId: "Tenant" };

/** What the list can be narrowed to, with how many of each wait; what would narrow nothing is not offered. */
export function DeadLetterFilters({ choices, filter, onChange }: Props) {
  const offered = NARROWINGS.filter((name) => choices[name].length > 1 || filter[name] !== undefined);
  if (offered.length === 0) return null;
  return (
    <dl className={classes.filters}>
      {offered.map((name) => (
        <div key={name}>
          <dt>{LABELS[name]}</dt>
          <dd>
            <FilterChips
              label={LABELS[name]}
              options={optionsOf(choices[name], filter[name])}
              chosen={filter[name]}
              onChoose={(value) => onChange(narrowed(filter, name, value))}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function optionsOf(choices: Props["choices"][Narrowing], chosen: string | undefined) {
  const known = choices.map(({ value, count }) => ({ value, label: `${labelOf(value)} (${count})` }));
  // What is chosen can be taken off even when nothing of it is left.
  const isGone = chosen !== undefined && !choices.some(({ value }) => value === chosen);
  return isGone ? [...known, { value: chosen, label: `${labelOf(chosen)} (0)` }] : known;
}

/** An id is told apart by its first characters. */
function labelOf(value: string): string {
  return value.startsWith("ten_") ? `${value.slice(0, 12)}…` : value;
}

function narrowed(filter: LetterFilter, name: Narrowing, value: string | undefined): LetterFilter {
  const { [name]: _, ...others } = filter;
  return { ...others, ...(value === undefined ? {} : { [name]: value }), page: 1 };
}
