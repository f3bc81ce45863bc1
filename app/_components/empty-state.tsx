"use client";

import { Stack, Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  readonly icon: Icon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Says what would be here and offers the first thing to do. */
export function EmptyState({ icon: Picture, title, children, action }: Props) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <Picture size={32} stroke={1.5} color="var(--mantine-color-dimmed)" aria-hidden="true" />
      <Title order={2} size="h3">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" maw={460} size="sm">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
