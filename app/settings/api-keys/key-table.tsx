"use client";

import { Badge, Button, Code, Group, Table, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../../_components/moment";
import { WideTable } from "../../_components/wide-table";
import { useApi } from "../../_trpc/client";
import { failureOf } from "../../_trpc/failure";
import { shortPermission } from "./permission-words";

type Key = inferRouterOutputs<AppRouter>["tenants"]["apiKeys"][number];

const STATES = { live: ["In use", "positive"], expired: ["Expired", "gray"], revoked: ["Revoked", "gray"] } as const;

/** One row per key, those that ended among them. */
export function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  return (
    <WideTable label="API keys">
      <Table verticalSpacing="sm" miw={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Name</Table.Th>
            <Table.Th scope="col">State</Table.Th>
            <Table.Th scope="col">May</Table.Th>
            <Table.Th scope="col">Reaches</Table.Th>
            <Table.Th scope="col">Last used</Table.Th>
            <Table.Th scope="col">Made</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Row key={key.keyId} apiKey={key} />
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

function Row({ apiKey: key }: { readonly apiKey: Key }) {
  const [words, color] = STATES[key.state];
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {key.name}{" "}
        <Text span size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          ends in <Code>{key.tail}</Code>
        </Text>
      </Table.Th>
      <Table.Td>
        <Badge variant="light" color={color} tt="none">
          {words}
        </Badge>
        {key.state === "live" && key.expiresAt !== null && (
          <Text size="xs" c="dimmed">
            until <Moment at={key.expiresAt} show="day" />
          </Text>
        )}
      </Table.Td>
      <Table.Td>{key.permissions.map(shortPermission).join(", ")}</Table.Td>
      <Table.Td>{[...key.kinds, ...key.scopes].join(", ") || "everything"}</Table.Td>
      <Table.Td>{key.lastUsedAt === null ? "never" : <Moment at={key.lastUsedAt} />}</Table.Td>
      <Table.Td>
        <Moment at={key.createdAt} show="day" />
        {key.createdBy !== null && (
          <Text size="xs" c="dimmed">
            by {key.createdBy}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Group justify="flex-end">{key.state === "live" && <Revoke apiKey={key} />}</Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Revoke({ apiKey: { keyId, name } }: { readonly apiKey: Key }) {
  const api = useApi();
  const cache = useQueryClient();
  const revoke = useMutation(
    api.tenants.revokeApiKey.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: `${name} was revoked.` });
        return cache.invalidateQueries({ queryKey: api.tenants.apiKeys.queryKey() });
      },
      onError: (error) => notifications.show({ color: "problem", message: failureOf(error).message }),
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: `Revoke ${name}?`,
      children: (
        <Text size="sm">
          Programs that use this key are refused from this moment on, and links they were given stop working. This
          cannot be undone. Packets they submitted go on being made.
        </Text>
      ),
      labels: { confirm: "Revoke the key", cancel: "Keep it" },
      confirmProps: { color: "problem" },
      onConfirm: () => revoke.mutate({ keyId }),
    });
  return (
    <Button
      variant="subtle"
      color="problem"
      size="xs"
      loading={revoke.isPending}
      onClick={ask}
      aria-label={`Revoke ${name}`}
    >
      Revoke
    </Button>
  );
}
