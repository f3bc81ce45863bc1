"use client";

import { ActionIcon, Group } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface RowToolsProps {
  /** What is moved, in the words that a screen reader says after "Move". */
  readonly name: string;
  readonly size?: "md" | "lg";
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isKept?: boolean;
  readonly children?: ReactNode;
  onUp(): void;
  onDown(): void;
  readonly onRemove?: () => void;
}

/** Buttons that move a row of a list up or down, and, where it may go, remove it. */
export function RowTools({ name, size = "lg", onUp, onDown, onRemove, children, ...where }: RowToolsProps) {
  const look = { variant: "subtle", color: "gray", size } as const;
  return (
    <Group gap={2} wrap="nowrap">
      {children}
      <ActionIcon {...look} aria-label={`Move ${name} up`} disabled={where.isFirst} onClick={onUp}>
        <IconArrowUp size={16} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon {...look} aria-label={`Move ${name} down`} disabled={where.isLast} onClick={onDown}>
        <IconArrowDown size={16} aria-hidden="true" />
      </ActionIcon>
      {onRemove !== undefined && (
        <ActionIcon {...look} aria-label={`Remove ${name}`} disabled={where.isKept ?? false} onClick={onRemove}>
          <IconTrash size={16} aria-hidden="true" />
        </ActionIcon>
      )}
    </Group>
  );
}
