"use client";

import { Alert, Button, List, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Facts } from "../../../_components/facts";
import { Panel } from "../../../_components/panel";
import { byteWords, counted, numberWords } from "../../../_components/words";
import type { Submission } from "../use-submission";
import type { Summary } from "./book";

interface Props {
  readonly summary: Summary;
  readonly submission: Submission;
  readonly bytesMax: number;
  readonly described: { readonly retentionYears: number; readonly inputDays: number };
}

/** What the book will be, what is missing, and the one button that makes it. */
export function BookSummary({ summary, submission, bytesMax, described }: Props) {
  const isTooLarge = summary.bytes > bytesMax;
  const missing = [
    ...summary.missing,
    ...(isTooLarge
      ? [`The files are ${byteWords(summary.bytes - bytesMax)} too large together: leave something out.`]
      : []),
  ];
  const { failure } = submission;
  return (
    <Panel title="This book">
      <Stack gap="md">
        <Facts
          facts={[
            ["Files", numberWords(summary.files)],
            ["Pages of files", numberWords(summary.pages)],
            ["Size", `${byteWords(summary.bytes)} of at most ${byteWords(bytesMax)}`],
          ]}
        />
        <div aria-live="polite">
          {missing.length === 0 ? (
            <Text size="sm" c="positive" component="p" m={0} display="flex" style={{ gap: 6, alignItems: "center" }}>
              <IconCircleCheck size={18} aria-hidden="true" /> Ready. Cover, contents and dividers are added.
            </Text>
          ) : (
            <List size="sm" spacing={2}>
              {missing.map((words) => (
                <List.Item key={words}>{words}</List.Item>
              ))}
            </List>
          )}
        </div>
        {failure !== null && (
          <Alert
            color="problem"
            icon={<IconAlertTriangle aria-hidden="true" />}
            title="The book was not submitted"
            role="alert"
          >
            <Text size="sm">{failure.message}</Text>
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          fullWidth
          disabled={missing.length > 0}
          loading={submission.isPending || submission.isDone}
        >
          {summary.pages === 0 ? "Make book" : `Make book, ${counted(summary.pages, "page")}`}
        </Button>
        <Text size="xs" c="dimmed">
          The book is kept for {described.retentionYears} years; your files are erased after {described.inputDays} days.
        </Text>
      </Stack>
    </Panel>
  );
}
