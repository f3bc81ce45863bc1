import { Skeleton, Stack } from "@mantine/core";

export default function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={32} width={320} />
      <Skeleton height={160} />
      <Skeleton height={320} />
    </Stack>
  );
}
