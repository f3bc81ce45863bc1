"use client";

import { Input } from "@mantine/core";
import { OneFile } from "../uploads/one-file";
import { type FieldProps, fieldId, useField } from "./use-payload";

/** One PDF or picture. */
export function SourceField({ node, path, isRequired }: FieldProps<"source">) {
  const { value, problem, write } = useField(path);
  return (
    <Input.Wrapper
      label={isRequired ? node.title : `${node.title} (optional)`}
      description={node.help}
      error={problem}
      labelElement="div"
    >
      <OneFile
        id={fieldId(path)}
        label="Choose a file"
        purpose="pages"
        accept="application/pdf,image/png,image/jpeg"
        sourceId={typeof value === "string" ? value : ""}
        onChange={write}
      />
    </Input.Wrapper>
  );
}
