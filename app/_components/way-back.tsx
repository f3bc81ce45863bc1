"use client";

import { Button, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly href?: string;
  readonly onAction?: () => void;
  /** True where no frame stands around it. */
  readonly isWhole?: boolean;
}

/** A page that has nothing to show, and the way on. */
export function WayBack({ title, children, action, href, onAction, isWhole = false }: Props) {
  return (
    <Stack component={isWhole ? "main" : "section"} align="flex-start" gap="md" px="lg" py={96} maw={560} mx="auto">
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{children}</Text>
      {href === undefined ? (
        <Button onClick={onAction}>{action}</Button>
      ) : (
        <Button component={Link} href={href}>
          {action}
        </Button>
      )}
    </Stack>
  );
}
