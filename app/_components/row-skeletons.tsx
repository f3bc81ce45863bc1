import { Group, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

/** Rows to come: keeps the page still while they load. */
export function RowSkeletons({ rows = 8 }: { readonly rows?: number }) {
  return (
    <Stack gap={0} role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these rows are all alike and never move.
        <Group key={row} justify="space-between" py="md" wrap="nowrap">
          <Stack gap={6} flex={1}>
            <Skeleton height={14} width={`${44 + ((row * 17) % 30)}%`} maw={320} />
            <Skeleton height={10} width="28%" maw={160} />
          </Stack>
          <Skeleton height={22} width={92} />
          <Skeleton height={12} width={110} visibleFrom="sm" />
        </Group>
      ))}
    </Stack>
  );
}
