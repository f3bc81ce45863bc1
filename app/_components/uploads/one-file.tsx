"use client";

import { Alert, Button, FileButton, Group, Loader, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconFile, IconUpload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { byteWords, counted } from "../words";
import { type Source, useSources } from "./use-sources";
import { useUpload } from "./use-upload";

interface Props {
  readonly id: string;
  readonly label: string;
  readonly purpose: string;
  readonly accept: string;
  readonly sourceId: string;
  onChange(sourceId: string): void;
  /** More about a refused file, below its reason. */
  details?(source: Source): ReactNode;
}

/** One file: choose, send, wait for its inspection, and what came of it. */
export function OneFile({ id, label, purpose, accept, sourceId, onChange, details }: Props) {
  const { state, start, cancel } = useUpload(purpose, onChange);
  const sources = useSources(sourceId === "" ? [] : [sourceId]);
  const source = sources.get(sourceId);
  const choose = (words: string) => (
    <FileButton accept={accept} onChange={(file) => file !== null && void start(file)}>
      {(props) => (
        <Button {...props} id={id} variant="default" leftSection={<IconUpload size={16} aria-hidden="true" />}>
          {words}
        </Button>
      )}
    </FileButton>
  );
  if (state.type === "sending") {
    return (
      <Stack gap={6} maw={420}>
        <Group justify="space-between">
          <Text size="sm">{state.title}</Text>
          <Button variant="subtle" size="compact-sm" onClick={cancel}>
            Cancel
          </Button>
        </Group>
        <Progress value={state.share * 100} aria-label={`Uploading ${state.title}`} />
      </Stack>
    );
  }
  if (state.type === "broken") {
    return (
      <Refused title={state.title} message={state.message}>
        <Group gap="xs" mt="sm">
          {state.retry !== null && (
            <Button size="xs" variant="default" onClick={state.retry}>
              Try again
            </Button>
          )}
          {choose("Choose another file")}
        </Group>
      </Refused>
    );
  }
  if (sourceId === "") return choose(label);
  if (source === null) {
    return (
      <Refused title="This file is not here any more" message="Files are erased after a while. Upload it again.">
        {choose(label)}
      </Refused>
    );
  }
  if (source === undefined || source.state === "inspecting") {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm">{source === undefined ? "Looking at the file…" : `Checking ${source.title}…`}</Text>
      </Group>
    );
  }
  if (source.state === "refused") {
    return (
      <Refused title={source.title} message={source.refusal?.message ?? "This file cannot be used."}>
        {details?.(source)}
        <Group mt="sm">{choose("Choose another file")}</Group>
      </Refused>
    );
  }
  const amount = source.rows > 0 ? counted(source.rows, "row") : counted(source.pages, "page");
  return (
    <Group gap="md">
      <Group gap="xs" wrap="nowrap">
        <IconFile size={18} stroke={1.75} aria-hidden="true" />
        <Text size="sm">
          {source.title}{" "}
          <Text span size="sm" c="dimmed">
            {amount}, {byteWords(source.bytes)}
          </Text>
        </Text>
      </Group>
      {choose("Replace")}
    </Group>
  );
}

function Refused({
  title,
  message,
  children,
}: {
  readonly title: string;
  readonly message: string;
  readonly children: ReactNode;
}) {
  return (
    <Alert color="problem" icon={<IconAlertTriangle aria-hidden="true" />} title={title} role="alert">
      <Text size="sm">{message}</Text>
      {children}
    </Alert>
  );
}
