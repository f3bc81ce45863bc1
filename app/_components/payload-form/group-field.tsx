"use client";

import { Title } from "@mantine/core";
import classes from "./payload-form.module.css";
import type { Field, Node } from "./schema";
import { type FieldProps, fieldId, usePayloadForm } from "./use-payload";

/** Fields that belong together, under one title, two beside each other where they are short. */
export function GroupField({ node, path }: FieldProps<"group">) {
  const { Control } = usePayloadForm();
  return (
    <fieldset className={classes.group} id={fieldId(path)}>
      {node.title !== "" && path.length > 0 && <GroupTitle title={node.title} help={node.help} />}
      <div className={classes.fields}>
        {node.fields.map((field) => (
          <div key={field.name} className={isWide(field) ? classes.wideField : undefined}>
            <Control node={field.node} path={[...path, field.name]} isRequired={field.isRequired} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

export function GroupTitle({ title, help }: { readonly title: string; readonly help: string | null }) {
  return (
    <legend className={classes.legend}>
      <Title order={2} size="h3" component="span">
        {title}
      </Title>
      {help !== null && <span className={classes.help}>{help}</span>}
    </legend>
  );
}

const SHORT: ReadonlySet<Node["type"]> = new Set(["text", "number", "one-of", "yes-no"]);

function isWide({ node }: Field): boolean {
  return (
    !SHORT.has(node.type) ||
    (node.type === "text" && (node.format === "prose" || (node.format === "line" && (node.max ?? 0) > 160)))
  );
}
