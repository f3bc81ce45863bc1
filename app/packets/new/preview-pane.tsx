"use client";

import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconEye, IconInfoCircle } from "@tabler/icons-react";
import { Moment } from "../../_components/moment";
import { Panel } from "../../_components/panel";
import { PdfViewer } from "../../_components/pdf-viewer/pdf-viewer";
import type { PreviewState, usePreview } from "./use-preview";

interface Props {
  readonly preview: ReturnType<typeof usePreview>;
  /** How often the form has been changed by now. */
  readonly changes: number;
  /** True while there is nothing that could be shown. */
  readonly isBlocked?: boolean;
  onAsk(): void;
}

/** A look at the pages before anything is submitted. */
export function PreviewPane({ preview, changes, isBlocked = false, onAsk }: Props) {
  const { state, madeAt } = preview;
  const isBusy = state.type === "waiting" || state.type === "making";
  return (
    <Panel
      title="Preview"
      aside={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconEye size={16} aria-hidden="true" />}
          disabled={isBlocked}
          loading={isBusy}
          onClick={onAsk}
        >
          {state.type === "none" || isBusy ? "Preview" : "Preview again"}
        </Button>
      }
    >
      <Stack gap="sm">
        {state.type === "ready" && changes !== madeAt && (
          <Alert color="caution" icon={<IconInfoCircle aria-hidden="true" />}>
            <Text size="sm">The form has changed since.</Text>
          </Alert>
        )}
        <div aria-live="polite">
          <Body state={state} />
        </div>
      </Stack>
    </Panel>
  );
}

function Body({ state }: { readonly state: PreviewState }) {
  switch (state.type) {
    case "none":
      return (
        <Text size="sm" c="dimmed">
          The first pages, reduced and marked as a preview. Nothing is submitted and nothing is kept.
        </Text>
      );
    case "waiting":
    case "making":
      return (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{state.type === "waiting" ? "Waiting for its turn…" : "Making the pages…"}</Text>
        </Group>
      );
    case "failed":
      return (
        <Alert color="problem" icon={<IconAlertTriangle aria-hidden="true" />}>
          <Text size="sm">{state.message}</Text>
        </Alert>
      );
    case "expired":
      return <Text size="sm">This preview is gone: previews are kept for minutes only. Ask for a new one.</Text>;
    case "ready":
      return (
        <Stack gap="xs">
          <PdfViewer
            key={state.jobId}
            url={`/packets/preview/${state.jobId}/pdf`}
            pages={state.pages}
            label="Preview pages"
          />
          <Text size="xs" c="dimmed">
            Kept until <Moment at={state.expiresAt} show="clock" />, not for the record.
          </Text>
        </Stack>
      );
  }
}
