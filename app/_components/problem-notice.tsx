"use client";

import { Alert, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { failureOf } from "../_trpc/failure";

interface Props {
  /** What could not be done, such as "The list could not be read". */
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Says what could not be done, why, and lets people try again. */
export function ProblemNotice({ title, error, onRetry }: Props) {
  const { message } = failureOf(error);
  return (
    <Alert color="problem" icon={<IconAlertTriangle aria-hidden="true" />} title={title} role="alert">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{message}</Text>
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
