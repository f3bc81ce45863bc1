import { Skeleton, Stack } from "@mantine/core";

export default function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={32} width={180} />
      <Skeleton height={260} />
    </Stack>
  );
}
