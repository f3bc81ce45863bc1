"use client";

import { Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import type { PacketFormProps } from "../[kind]/packet-form";

/** The composer with its drag and drop comes only to those who make a book. */
export const BookComposer = dynamic<PacketFormProps>(
  () => import("./book-composer").then((module) => module.BookComposer),
  {
    loading: () => (
      <Stack gap="lg">
        <Skeleton height={32} width={220} />
        <Skeleton height={280} />
      </Stack>
    ),
  },
);
