"use client";

import { AlternativesField } from "./alternatives-field";
import { GroupField } from "./group-field";
import { ListField } from "./list-field";
import { PoliciesField } from "./policies-field";
import { NumberField, OneOfField, TextField, YesNoField } from "./simple-fields";
import { SourceField } from "./source-field";
import { TableField } from "./table-field";
import type { FieldProps } from "./use-payload";

/** The right control for a place in a payload. The controls of groups and lists get it from the form, for the places inside them. */
export function PayloadControl(props: FieldProps) {
  const { node, ...rest } = props;
  switch (node.type) {
    case "group":
      return <GroupField node={node} {...rest} />;
    case "list":
      return <ListField node={node} {...rest} />;
    case "alternatives":
      return <AlternativesField node={node} {...rest} />;
    case "text":
      return <TextField node={node} {...rest} />;
    case "number":
      return <NumberField node={node} {...rest} />;
    case "one-of":
      return <OneOfField node={node} {...rest} />;
    case "yes-no":
      return <YesNoField node={node} {...rest} />;
    case "source":
      return <SourceField node={node} {...rest} />;
    case "table":
      return <TableField node={node} {...rest} />;
    case "policies":
      return <PoliciesField node={node} {...rest} />;
  }
}
