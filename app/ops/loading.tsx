import { Skeleton, Stack } from "@mantine/core";

export default function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={32} width={200} />
      <Skeleton height={240} />
      <Skeleton height={160} />
    </Stack>
  );
}
