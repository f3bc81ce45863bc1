import { z } from "zod/mini";
import type { FailureShape } from "@/server/api/init";

export type PageFailure = Omit<FailureShape, "code"> & {
  readonly code: string;
  /** True where no answer of ours arrived at all, so that nothing is known about the thing itself. */
  readonly isUnreadable: boolean;
};

const Shape = z.object({
  code: z.string(),
  message: z.string(),
  findings: z.array(
    z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string(), message: z.string() }),
  ),
  retryAfterSeconds: z.nullable(z.number()),
});

/** Returns what went wrong in plain words, whatever was thrown: a failure of ours, or no readable answer. */
export function failureOf(error: unknown): PageFailure {
  const parsed = Shape.safeParse(Reflect.get(Object(Reflect.get(Object(error), "data")), "failure"));
  if (parsed.success) return { ...parsed.data, isUnreadable: false };
  return {
    code: "unreadable",
    message: "Bindery did not answer. Check your connection, then try again.",
    findings: [],
    retryAfterSeconds: null,
    isUnreadable: true,
  };
}
