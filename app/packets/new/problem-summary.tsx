"use client";

import { Alert, Anchor, List } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { focusFirst } from "../../_components/payload-form/focus";
import { labelOfPath } from "../../_components/payload-form/schema";
import type { FieldFinding } from "../../_components/payload-form/store";
import { fieldId } from "../../_components/payload-form/use-payload";
import { counted } from "../../_components/words";

const SHOWN_MAX = 8;

interface Props {
  readonly findings: readonly FieldFinding[];
  readonly schema: unknown;
}

/** Says how many fields need another look and leads to each. It takes the focus when findings arrive. */
export function ProblemSummary({ findings, schema }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const count = findings.length;
  const before = useRef(0);
  useEffect(() => {
    if (count > before.current) place.current?.focus();
    before.current = count;
  }, [count]);
  if (count === 0) return null;
  return (
    <Alert
      ref={place}
      tabIndex={-1}
      color="problem"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`${counted(count, "field needs", "fields need")} another look`}
      role="alert"
    >
      <List size="sm" spacing={2}>
        {findings.slice(0, SHOWN_MAX).map((finding) => (
          <List.Item key={`${finding.path.join(".")} ${finding.message}`}>
            <Anchor
              href={`#${fieldId(finding.path)}`}
              size="sm"
              underline="always"
              onClick={(event) => {
                // The address stays as it is, and groups have no focus of their own.
                event.preventDefault();
                focusFirst(fieldId(finding.path));
              }}
            >
              {labelOfPath(schema, finding.path) || "The whole"}
            </Anchor>
            : {finding.message}
          </List.Item>
        ))}
        {count > SHOWN_MAX && <List.Item>and {count - SHOWN_MAX} more</List.Item>}
      </List>
    </Alert>
  );
}
