"use client";

import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi } from "../../_trpc/client";
import { failureOf } from "../../_trpc/failure";

/** Has what died made again as it is, and leads to where that happens. */
export function RetryButton({ jobId }: { readonly jobId: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const router = useRouter();
  const retry = useMutation(
    api.packets.retry.mutationOptions({
      onSuccess: (next) => router.push(`/packets/${next.jobId}`),
      onError: (error) => {
        notifications.show({ color: "problem", message: failureOf(error).message });
        return queries.invalidateQueries({ queryKey: api.packets.read.queryKey({ jobId }) });
      },
    }),
  );
  return (
    <Button onClick={() => retry.mutate({ jobId })} loading={retry.isPending}>
      Try again
    </Button>
  );
}
