"use client";

import { PacketForm, type PacketFormProps } from "../[kind]/packet-form";

export function BookComposer(props: PacketFormProps) {
  return <PacketForm {...props} />;
}
