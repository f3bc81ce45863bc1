import { z } from "zod";
import { type AnswerOf, type Operation, REQUESTS, type RequestOf } from "./requests";

/** What the pool sends to a child: one request. `id` comes back on every frame about it. */
export const Ask = z.object({
  id: z.int(),
  op: z.custom<Operation>((value) => typeof value === "string" && Object.hasOwn(REQUESTS, value)),
  request: z.unknown(),
});
export type Ask = z.infer<typeof Ask>;

/** The schemas by operation, so that an operation and its types stay together in generic code. */
const SCHEMAS: {
  readonly [Op in Operation]: { readonly request: z.ZodType<RequestOf<Op>>; readonly answer: z.ZodType<AnswerOf<Op>> };
} = REQUESTS;

/** Returns `value` as a request of `op`. Throws where it does not fit the schema. */
export function parseRequest<Op extends Operation>(op: Op, value: unknown): RequestOf<Op> {
  return SCHEMAS[op].request.parse(value);
}

/** Returns `value` as an answer to `op`. Throws where it does not fit the schema. */
export function parseAnswer<Op extends Operation>(op: Op, value: unknown): AnswerOf<Op> {
  return SCHEMAS[op].answer.parse(value);
}
