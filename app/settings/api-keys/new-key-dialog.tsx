"use client";

import { Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemNotice } from "../../_components/problem-notice";
import { usePerson } from "../../_shell/person";
import { useApi } from "../../_trpc/client";
import { failureOf } from "../../_trpc/failure";
import { KEY_PERMISSIONS, type KeyPermission, PERMISSION_WORDS } from "./permission-words";
import { SecretOnce } from "./secret-once";

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: "", label: "Until it is revoked" },
];
const START = { name: "", permissions: [...KEY_PERMISSIONS] as KeyPermission[], kinds: [] as string[], days: "365" };

/** A kind's name as people read it. */
function kindWords(kind: string): string {
  const words = kind.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

interface Props {
  readonly isOpen: boolean;
  onClose(): void;
}

/** Asks what a new key is for and may do, then shows its secret once. */
export function NewKeyDialog({ isOpen, onClose }: Props) {
  const api = useApi();
  const cache = useQueryClient();
  const { tenant } = usePerson();
  const [wanted, setWanted] = useState(START);
  const create = useMutation(
    api.tenants.createApiKey.mutationOptions({
      onSuccess: () => cache.invalidateQueries({ queryKey: api.tenants.apiKeys.queryKey() }),
    }),
  );
  const findings = create.isError ? failureOf(create.error).findings : [];
  const problemOf = (field: string) => findings.find((finding) => finding.path[0] === field)?.message;
  const close = () => {
    onClose();
    setWanted(START);
    create.reset();
  };
  const submit = () =>
    create.mutate({
      name: wanted.name,
      permissions: wanted.permissions,
      kinds: wanted.kinds,
      scopes: [],
      expiresAt: wanted.days === "" ? null : new Date(Date.now() + Number(wanted.days) * DAY_MS),
    });
  const isDone = create.data !== undefined;
  return (
    <Modal.Root opened={isOpen} onClose={close} centered closeOnClickOutside={!isDone} closeOnEscape={!isDone}>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        {/* A header outside of an article or section counts as the page's banner, and a dialog is neither. */}
        <Modal.Header role="presentation">
          <Modal.Title>{isDone ? "Copy the key now" : "New API key"}</Modal.Title>
          {!isDone && <Modal.CloseButton aria-label="Close" />}
        </Modal.Header>
        <Modal.Body>
          {isDone ? (
            <SecretOnce secret={create.data.secret} onDone={close} />
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
              noValidate
            >
              <Stack>
                {create.isError && findings.length === 0 && (
                  <ProblemNotice title="The key could not be made" error={create.error} />
                )}
                <TextInput
                  label="Name"
                  description="Which program uses it, such as “HR import”."
                  required
                  data-autofocus
                  maxLength={80}
                  value={wanted.name}
                  error={problemOf("name")}
                  onChange={(event) => setWanted({ ...wanted, name: event.currentTarget.value })}
                />
                <Checkbox.Group
                  label="It may"
                  value={wanted.permissions}
                  error={problemOf("permissions")}
                  onChange={(values) =>
                    setWanted({ ...wanted, permissions: KEY_PERMISSIONS.filter((each) => values.includes(each)) })
                  }
                >
                  <Stack gap={6} mt={6}>
                    {KEY_PERMISSIONS.map((permission) => (
                      <Checkbox key={permission} value={permission} label={PERMISSION_WORDS[permission].label} />
                    ))}
                  </Stack>
                </Checkbox.Group>
                <MultiSelect
                  label="Kinds of packet"
                  description="Leave it empty for all that you can make yourself."
                  data={(tenant?.kinds ?? []).map((kind) => ({ value: kind, label: kindWords(kind) }))}
                  value={wanted.kinds}
                  error={problemOf("kinds")}
                  onChange={(kinds) => setWanted({ ...wanted, kinds })}
                  clearable
                />
                <Select
                  label="It works for"
                  data={LIFETIMES}
                  value={wanted.days}
                  allowDeselect={false}
                  error={problemOf("expiresAt")}
                  onChange={(days) => setWanted({ ...wanted, days: days ?? "" })}
                />
                <Group justify="flex-end">
                  <Button variant="default" onClick={close}>
                    Cancel
                  </Button>
                  <Button type="submit" loading={create.isPending}>
                    Make the key
                  </Button>
                </Group>
              </Stack>
            </form>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
