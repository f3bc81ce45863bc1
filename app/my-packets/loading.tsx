import { Skeleton, Stack } from "@mantine/core";

export default function Loading() {
  return (
    <Stack gap="lg" maw={760}>
      <Skeleton height={32} width={220} />
      <Skeleton height={220} />
    </Stack>
  );
}
