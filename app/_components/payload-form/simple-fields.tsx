"use client";

import { NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import type { Node, TextFormat } from "./schema";
import { type FieldProps, fieldId, useField } from "./use-payload";

const INPUTS: Record<Exclude<TextFormat, "prose">, { type?: string; inputMode?: "decimal" }> = {
  line: {},
  email: { type: "email" },
  date: { type: "date" },
  month: { type: "month" },
  time: { type: "time" },
  money: { inputMode: "decimal" },
};

export function TextField(props: FieldProps<"text">) {
  const { node } = props;
  const { value, write, common } = useControl(props);
  const text = typeof value === "string" ? value : "";
  const placeholder = node.example !== null && props.hiddenLabel === undefined ? `Such as ${node.example}` : "";
  if (node.format === "prose") {
    return (
      <Textarea
        {...common}
        autosize
        minRows={props.hiddenLabel === undefined ? 3 : 1}
        maxRows={16}
        value={text}
        onChange={(event) => write(event.currentTarget.value)}
      />
    );
  }
  const isPicker = node.format === "date" || node.format === "month" || node.format === "time";
  return (
    <TextInput
      {...common}
      {...INPUTS[node.format]}
      autoComplete="off"
      maw={isPicker ? 220 : undefined}
      placeholder={isPicker ? undefined : placeholder}
      value={text}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}

export function NumberField(props: FieldProps<"number">) {
  const { node } = props;
  const { value, write, common } = useControl(props);
  return (
    <NumberInput
      {...common}
      hideControls
      allowDecimal={!node.isWhole}
      decimalScale={2}
      thousandSeparator=""
      inputMode={node.isWhole ? "numeric" : "decimal"}
      maw={props.hiddenLabel === undefined ? 220 : undefined}
      placeholder={node.example !== null && props.hiddenLabel === undefined ? `Such as ${node.example}` : ""}
      value={typeof value === "number" || typeof value === "string" ? value : ""}
      onChange={write}
    />
  );
}

export function OneOfField(props: FieldProps<"one-of">) {
  const { value, write, common } = useControl(props);
  return (
    <Select
      {...common}
      data={props.node.values.map((entry) => ({ value: entry, label: choiceWords(entry) }))}
      placeholder={props.hiddenLabel === undefined ? "Choose" : ""}
      maw={props.hiddenLabel === undefined ? 280 : undefined}
      allowDeselect={!props.isRequired}
      checkIconPosition="right"
      value={typeof value === "string" && value !== "" ? value : null}
      onChange={(next) => write(next ?? "")}
    />
  );
}

export function YesNoField(props: FieldProps<"yes-no">) {
  const { value, write, common } = useControl(props);
  const { label, ...rest } = { label: props.node.title, ...common };
  return (
    <Switch
      {...rest}
      label={props.hiddenLabel === undefined ? props.node.title : undefined}
      checked={value === true}
      onChange={(event) => write(event.currentTarget.checked)}
    />
  );
}

/** "fixed-term" reads "Fixed-term"; codes such as "EUR" stay as they are. */
function choiceWords(value: string): string {
  return value === value.toUpperCase() ? value : value.charAt(0).toUpperCase() + value.slice(1);
}

type ControlProps = Omit<FieldProps, "node"> & { readonly node: Pick<Node, "title" | "help"> };

/** Returns what every control is given: its name, its help, and what is wrong with it. */
function useControl({ node, path, isRequired, hiddenLabel }: ControlProps) {
  const { value, problem, write } = useField(path);
  const named =
    hiddenLabel === undefined
      ? { label: isRequired ? node.title : `${node.title} (optional)`, description: node.help }
      : { "aria-label": hiddenLabel };
  return {
    value,
    write,
    common: { id: fieldId(path), error: problem, "aria-required": isRequired, ...named },
  };
}
