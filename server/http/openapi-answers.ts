import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { FAILURES, type FailureCode } from "@/server/domain/failure";
import { Problem } from "./machine-schemas";

// What the descriptions of several calls have in common.

export type Paths = Record<string, Record<string, ZodOpenApiOperationObject>>;

export const text = z.string();
export const ifNoneMatch = z
  .string()
  .optional()
  .meta({ description: "The entity tag you hold; answered with 304 while nothing changed." });
export const retryAfter = z.string().optional().meta({ description: "Seconds after which to ask again." });

/** Returns the refusals of a call by status, with 500, which any call may end in. */
export function problems(...statuses: number[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    [...statuses, 500].map((status) => [
      String(status),
      { description: meaningOf(status), content: { "application/problem+json": { schema: Problem } } },
    ]),
  );
}

/** The codes that answer with this status, for people who look one up. */
function meaningOf(status: number): string {
  const codes = Object.keys(FAILURES).filter((code) => FAILURES[code as FailureCode].http === status);
  return `Refused: ${codes.map((code) => `\`${code}\``).join(", ")}.`;
}
