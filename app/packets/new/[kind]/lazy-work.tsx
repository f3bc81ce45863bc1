"use client";

import { Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import type { PacketFormProps } from "./packet-form";

function Loading() {
  return (
    <Stack gap="lg">
      <Skeleton height={32} width={260} />
      <Skeleton height={280} />
      <Skeleton height={200} />
    </Stack>
  );
}

// Neither is drawn on the server: what is typed or dropped into a form before its code is there would be lost without a word.

export const PacketForm = dynamic<PacketFormProps>(() => import("./packet-form").then((module) => module.PacketForm), {
  ssr: false,
  loading: Loading,
});

/** The composer with its drag and drop comes only to those who make a book. */
export const BookComposer = dynamic<PacketFormProps>(
  () => import("../board-book/book-composer").then((module) => module.BookComposer),
  { ssr: false, loading: Loading },
);
