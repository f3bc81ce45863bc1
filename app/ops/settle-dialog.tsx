"use client";

import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterInputs } from "@trpc/server";
import { useState } from "react";
import type { AppRouter } from "@/server/api/root";
import {
  DEAD_LETTERS_AT_ONCE_MAX,
  DISCARD_REASONS,
  type DiscardReason,
  REDRIVE_REASONS,
  type RedriveReason,
} from "@/server/domain/dead-letter";
import { ProblemNotice } from "../_components/problem-notice";
import { numberWords } from "../_components/words";
import { useApi } from "../_trpc/client";
import type { Outcome } from "./dead-letters/outcome-words";
import { DISCARD_WORDS, REDRIVE_WORDS } from "./reasons";

interface Props {
  /** What is asked; null while nothing is. */
  readonly task: "redrive" | "discard" | null;
  readonly count: number;
  /** What it is about, such as "3 dead letters". */
  readonly what: string;
  readonly choice: inferRouterInputs<AppRouter>["operations"]["redrive"]["choice"];
  onClose(): void;
  onSettled(outcome: Outcome): void;
}

/** Asks once more, with how many, and for the reason that goes into the audit trail. */
export function SettleDialog({ task, count, what, choice, onClose, onSettled }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const [redriveReason, setRedriveReason] = useState<RedriveReason | null>(null);
  const [discardReason, setDiscardReason] = useState<DiscardReason | null>(null);
  const onSuccess = async (settled: Omit<Outcome, "task">) => {
    await queries.invalidateQueries({ queryKey: api.operations.pathKey() });
    onSettled({ ...settled, task: task ?? "redrive" });
    close();
  };
  const redrive = useMutation(api.operations.redrive.mutationOptions({ onSuccess }));
  const discard = useMutation(api.operations.discard.mutationOptions({ onSuccess }));
  const asked = task === "discard" ? discard : redrive;
  const close = () => {
    redrive.reset();
    discard.reset();
    setRedriveReason(null);
    setDiscardReason(null);
    onClose();
  };
  const confirm = () => {
    if (task === "redrive" && redriveReason !== null) redrive.mutate({ choice, reason: redriveReason });
    if (task === "discard" && discardReason !== null) discard.mutate({ choice, reason: discardReason });
  };
  const name = task === "discard" ? "Discard" : "Redrive";
  const hasReason = task === "discard" ? discardReason !== null : redriveReason !== null;
  return (
    <Modal.Root opened={task !== null} onClose={close} centered>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        {/* A header outside of an article or section counts as the page's banner, and a dialog is neither. */}
        <Modal.Header role="presentation">
          <Modal.Title>
            {name} {what}?
          </Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>
          <Stack gap="md">
            <Text size="sm">
              {task === "discard"
                ? "They leave this list, and nobody makes them unless their submitter tries again."
                : "A new job is opened for each, with the same revision and files, a new deadline and all its attempts. The dead one stays as it is."}
              {count > DEAD_LETTERS_AT_ONCE_MAX &&
                ` The ${numberWords(DEAD_LETTERS_AT_ONCE_MAX)} oldest go first; you are told how many are left.`}
            </Text>
            {task === "discard" ? (
              <Radio.Group
                label="Why"
                value={discardReason}
                onChange={(value) => setDiscardReason(DISCARD_REASONS.find((known) => known === value) ?? null)}
              >
                <Reasons words={DISCARD_WORDS} />
              </Radio.Group>
            ) : (
              <Radio.Group
                label="Why"
                value={redriveReason}
                onChange={(value) => setRedriveReason(REDRIVE_REASONS.find((known) => known === value) ?? null)}
              >
                <Reasons words={REDRIVE_WORDS} />
              </Radio.Group>
            )}
            {asked.isError && (
              <ProblemNotice
                title={task === "discard" ? "Nothing could be discarded" : "Nothing could be redriven"}
                error={asked.error}
              />
            )}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Leave them
              </Button>
              <Button
                color={task === "discard" ? "problem" : "accent"}
                disabled={!hasReason}
                loading={asked.isPending}
                onClick={confirm}
              >
                {name} {numberWords(count)}
              </Button>
            </Group>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Reasons({ words }: { readonly words: Readonly<Record<string, string>> }) {
  return (
    <Stack gap="xs" mt="xs">
      {Object.entries(words).map(([value, label]) => (
        <Radio key={value} value={value} label={label} />
      ))}
    </Stack>
  );
}
