import { z } from "zod";
import type { PacketKind } from "@/server/packets/kind";
import { KINDS } from "@/server/packets/registry";

/** One way to write a submission per kind, so that its payload is described in full. */
export const Submission = z
  .union(KINDS.map(submissionOf))
  .meta({ id: "Submission", description: "What is to be made, by kind." });

function submissionOf(kind: PacketKind) {
  const [first, ...others] = kind.audiences;
  return z
    .strictObject({
      kind: z.literal(kind.name),
      audience: z
        .enum([first, ...others])
        .optional()
        .meta({ description: "For whom it is made." }),
      payload: kind.payload,
    })
    .meta({ title: kind.title, description: kind.description });
}

/** Returns a typical submission of every kind. */
export function submissionExamples() {
  return Object.fromEntries(
    KINDS.map((kind) => [
      kind.name,
      {
        summary: kind.title,
        value: { kind: kind.name, audience: kind.audiences[0], payload: kind.samples.typical.payload },
      },
    ]),
  );
}

/** Returns a small batch. */
export function batchExamples() {
  const items = KINDS.slice(0, 1).map((kind) => ({
    idempotencyKey: "import-2026-11-0001",
    kind: kind.name,
    payload: kind.samples.typical.payload,
  }));
  return { one: { summary: "A batch of one", value: { items } } };
}
