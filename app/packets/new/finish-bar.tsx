"use client";

import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { counted } from "../../_components/words";
import classes from "./new-packet.module.css";
import type { Submission } from "./use-submission";

interface Props {
  /** What the button will do. */
  readonly words: string;
  readonly submission: Submission;
  readonly children?: ReactNode;
}

/** The last thing on a form: what becomes of it, and the one button that sends it. */
export function FinishBar({ words, submission, children }: Props) {
  const { failure } = submission;
  return (
    <Stack gap="sm" mt="lg">
      {failure !== null && (
        <Alert
          color="problem"
          icon={<IconAlertTriangle aria-hidden="true" />}
          title="It was not submitted"
          role="alert"
        >
          <Text size="sm">
            {failure.message}
            {failure.retryAfterSeconds !== null && ` Try again in ${counted(failure.retryAfterSeconds, "second")}.`}
          </Text>
        </Alert>
      )}
      <div className={classes.finish}>
        {children}
        <Button type="submit" size="md" loading={submission.isPending || submission.isDone}>
          {words}
        </Button>
      </div>
    </Stack>
  );
}
