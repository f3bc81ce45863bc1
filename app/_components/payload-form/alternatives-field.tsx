"use client";

import { SegmentedControl, Stack } from "@mantine/core";
import { GroupTitle } from "./group-field";
import { Problem } from "./list-field";
import classes from "./payload-form.module.css";
import { type FieldProps, fieldId, useField, usePayloadForm } from "./use-payload";
import { chosenOption, emptyOf } from "./value";

/** Two ways to give the same thing, such as a file or rows. Changing the way starts afresh. */
export function AlternativesField({ node, path, isRequired }: FieldProps<"alternatives">) {
  const { Control } = usePayloadForm();
  const { value, problem, write } = useField(path);
  const chosen = chosenOption(node, value);
  const option = node.options[chosen];
  const isOwnProblem = problem !== null && option?.type !== "list";
  return (
    <fieldset className={classes.group} id={fieldId(path)}>
      <GroupTitle title={node.title} help={node.help} />
      <Stack gap="md">
        <SegmentedControl
          aria-label={node.title}
          style={{ alignSelf: "flex-start" }}
          data={node.options.map((entry, index) => ({ value: String(index), label: entry.title }))}
          value={String(chosen)}
          onChange={(next) => write(emptyOf(node.options[Number(next)] ?? node))}
        />
        {option?.type === "group" &&
          option.fields.map((field) => (
            <Control key={field.name} node={field.node} path={[...path, field.name]} isRequired={field.isRequired} />
          ))}
        {option !== undefined && option.type !== "group" && (
          <Control node={{ ...option, title: option.title }} path={path} isRequired={isRequired} />
        )}
        {isOwnProblem && <Problem>{problem}</Problem>}
      </Stack>
    </fieldset>
  );
}
