"use client";

import { ActionIcon, Group, NumberInput, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { numberWords } from "../words";
import classes from "./pdf-viewer.module.css";

interface Props {
  readonly page: number;
  readonly pages: number;
  readonly zoom: number;
  onTurn(page: number): void;
  onZoom(zoom: number): void;
}

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3];

/** Page and zoom. */
export function Toolbar({ page, pages, zoom, onTurn, onZoom }: Props) {
  const step = ZOOMS.indexOf(zoom);
  const zoomTo = (to: number) => onZoom(ZOOMS[to] ?? zoom);
  return (
    <div className={classes.toolbar}>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Previous page"
          disabled={page <= 1}
          onClick={() => onTurn(page - 1)}
        >
          <IconChevronLeft size={18} aria-hidden="true" />
        </ActionIcon>
        <NumberInput
          size="xs"
          hideControls
          aria-label="Page"
          className={classes.number}
          min={1}
          max={pages}
          clampBehavior="strict"
          allowDecimal={false}
          value={page}
          onChange={(value) => typeof value === "number" && value >= 1 && onTurn(value)}
        />
        <Text size="sm" c="dimmed" className={classes.of}>
          of {numberWords(pages)}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Next page"
          disabled={page >= pages}
          onClick={() => onTurn(page + 1)}
        >
          <IconChevronRight size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Zoom out"
          disabled={step <= 0}
          onClick={() => zoomTo(step - 1)}
        >
          <IconZoomOut size={18} aria-hidden="true" />
        </ActionIcon>
        <Text size="sm" c="dimmed" className={classes.zoom}>
          {Math.round(zoom * 100)}%
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label="Zoom in"
          disabled={step >= ZOOMS.length - 1}
          onClick={() => zoomTo(step + 1)}
        >
          <IconZoomIn size={18} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </div>
  );
}
