"use client";

import { Button, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../_trpc/client";
import { failureOf } from "../../_trpc/failure";

/** Stops a packet that is not archived yet, after asking once. */
export function CancelButton({ jobId }: { readonly jobId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const cancel = useMutation(
    api.packets.cancel.mutationOptions({
      onSuccess: ({ cancelled }) => {
        if (!cancelled)
          notifications.show({ color: "caution", message: "It was too late to stop it: it is made already." });
        return queries.invalidateQueries({ queryKey: api.packets.read.queryKey({ jobId }) });
      },
      onError: (error) => notifications.show({ color: "problem", message: failureOf(error).message }),
    }),
  );
  const ask = () =>
    modals.openConfirmModal({
      title: "Stop making this packet?",
      children: <Text size="sm">Nothing will be archived. You can submit it again later.</Text>,
      labels: { confirm: "Stop it", cancel: "Keep making it" },
      confirmProps: { color: "problem" },
      onConfirm: () => cancel.mutate({ jobId }),
    });
  return (
    <Button variant="default" onClick={ask} loading={cancel.isPending}>
      Stop
    </Button>
  );
}
