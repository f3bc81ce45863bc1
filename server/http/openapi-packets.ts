import { z } from "zod";
import {
  BatchReceipt,
  BatchSubmission,
  IdempotencyKey,
  Link,
  PacketReceipt,
  Status,
  StatusPage,
  StatusQuery,
} from "./machine-schemas";
import { ifNoneMatch, type Paths, problems, retryAfter, text } from "./openapi-answers";
import { batchExamples, Submission, submissionExamples } from "./openapi-submissions";

const jobId = z
  .string()
  .regex(/^job_[0-9a-f]{32}$/)
  .meta({ description: "The packet's id.", examples: ["job_0123456789abcdef0123456789abcdef"] });

/** The calls about packets. */
export const PACKET_PATHS: Paths = {
  "/api/v1/packets": {
    post: {
      operationId: "submitPacket",
      tags: ["Packets"],
      summary: "Submit a packet",
      description:
        "Accepts the packet as a durable job and answers at once. A repeat with the same key and content is answered with the same packet.",
      requestParams: { header: z.object({ "Idempotency-Key": IdempotencyKey }) },
      requestBody: {
        required: true,
        content: { "application/json": { schema: Submission, examples: submissionExamples() } },
      },
      responses: {
        "202": {
          description: "Accepted, or accepted before.",
          headers: z.object({
            Location: text.meta({ description: "Where to ask for its status." }),
            "Retry-After": retryAfter,
            "Idempotency-Replayed": z
              .enum(["true", "false"])
              .meta({ description: "Whether this request was accepted before." }),
          }),
          content: { "application/json": { schema: PacketReceipt } },
        },
        ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
      },
    },
    get: {
      operationId: "listPackets",
      tags: ["Packets"],
      summary: "List packets",
      description: "Newest first, a page at a time; follow `next` until it is null.",
      requestParams: { query: StatusQuery },
      responses: {
        "200": { description: "One page.", content: { "application/json": { schema: StatusPage } } },
        ...problems(400, 401, 403),
      },
    },
  },
  "/api/v1/packets/batch": {
    post: {
      operationId: "submitBatch",
      tags: ["Packets"],
      summary: "Submit many packets",
      description:
        "Up to 1,000 submissions in one call, each with a key of its own. One result per item, in the order sent.",
      requestBody: {
        required: true,
        content: { "application/json": { schema: BatchSubmission, examples: batchExamples() } },
      },
      responses: {
        "200": { description: "Each item has its result.", content: { "application/json": { schema: BatchReceipt } } },
        ...problems(400, 401, 403, 413, 415, 503),
      },
    },
  },
  "/api/v1/packets/{jobId}": {
    get: {
      operationId: "readPacket",
      tags: ["Packets"],
      summary: "Ask how far a packet is",
      description: "Small and cheap. Send the entity tag you hold and wait as long as `Retry-After` says.",
      requestParams: { path: z.object({ jobId }), header: z.object({ "If-None-Match": ifNoneMatch }) },
      responses: {
        "200": {
          description: "How it stands.",
          headers: z.object({ ETag: text.meta({ description: "Names this very answer." }), "Retry-After": retryAfter }),
          content: { "application/json": { schema: Status } },
        },
        "304": { description: "Nothing changed." },
        ...problems(401, 403, 404),
      },
    },
    delete: {
      operationId: "cancelPacket",
      tags: ["Packets"],
      summary: "Cancel a packet",
      description: "Stops a packet that is not yet published. To ask again is no fault.",
      requestParams: { path: z.object({ jobId }) },
      responses: {
        "200": { description: "It is cancelled.", content: { "application/json": { schema: Status } } },
        ...problems(401, 403, 404, 409),
      },
    },
  },
  "/api/v1/packets/{jobId}/links": {
    post: {
      operationId: "issueLink",
      tags: ["Packets"],
      summary: "Get a download link",
      description:
        "A link to the archived PDF that works for minutes, for whoever holds it. Compare what you download with the artifact's digest.",
      requestParams: { path: z.object({ jobId }) },
      responses: {
        "201": { description: "The link.", content: { "application/json": { schema: Link } } },
        ...problems(401, 403, 404, 410),
      },
    },
  },
};
