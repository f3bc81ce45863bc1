import { Alert, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { Start } from "./start";

/** Says what the form begins with, where that is not plain to see. */
export function StartNotice({ start }: { readonly start: Start }) {
  const words = start === null ? null : WORDS[start.type];
  if (words === null) return null;
  return (
    <Alert color={start?.type === "earlier" ? "accent" : "caution"} icon={<IconInfoCircle aria-hidden="true" />}>
      <Text size="sm">{words}</Text>
    </Alert>
  );
}

const WORDS = {
  earlier:
    "This begins with what was submitted before. Submitting makes a new revision of the same packet; the earlier one is kept.",
  erased: "The input of that packet has been erased, as promised when it was submitted. This form begins empty.",
  absent: "That packet is not here, or it is not yours to see. This form begins empty.",
} as const;
