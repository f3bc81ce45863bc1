import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from "zod-openapi";
import { FAILURES, type FailureCode } from "@/server/domain/failure";
import type { PacketKind } from "@/server/packets/kind";
import { KINDS } from "@/server/packets/registry";
import {
  BatchReceipt,
  BatchSubmission,
  IdempotencyKey,
  Link,
  PacketReceipt,
  Problem,
  Source,
  SourceReceipt,
  Status,
  StatusPage,
  StatusQuery,
} from "./machine-schemas";

/** Returns the HTTP contract as an OpenAPI 3.1 document, made from the schemas that validate. */
export function openApiDocument(baseUrl: string) {
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Bindery",
        version: "1",
        summary: "Submit packets, ask how far they are, and download what was archived.",
        description: INTRODUCTION,
        license: { name: "Proprietary", identifier: "LicenseRef-Bindery" },
      },
      servers: [{ url: baseUrl, description: "This installation" }],
      security: [{ apiKey: [] }],
      tags: [
        { name: "Packets", description: "Submissions and what becomes of them." },
        { name: "Sources", description: "Files that packets are made of." },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description: "An API key, made by an administrator under Settings.",
          },
        },
        schemas: Object.fromEntries(KINDS.map((kind) => [`${pascal(kind.name)}Payload`, kind.payload])),
      },
      paths: PATHS,
    },
    {
      override: ({ jsonSchema }) => {
        // Binary fractions: 71.4 is no whole multiple of 0.1 to a validator, though it has one decimal.
        if (Number(jsonSchema.multipleOf ?? 1) < 1) delete jsonSchema.multipleOf;
        // How our own form shows a field is nobody else's concern.
        Reflect.deleteProperty(jsonSchema, "widget");
      },
    },
  );
}

const INTRODUCTION = `Every packet is made once for each operation you name with an Idempotency-Key: send the same request again whenever you are not sure that it
arrived. Ask for the status until the state is \`succeeded\` or \`failed\`, no more often than \`Retry-After\` says. Errors are problem details with a stable
\`code\`. Times are UTC.`;

const jobId = z
  .string()
  .regex(/^job_[0-9a-f]{32}$/)
  .meta({ description: "The packet's id.", examples: ["job_0123456789abcdef0123456789abcdef"] });
const sourceId = z
  .string()
  .regex(/^src_[0-9a-f]{32}$/)
  .meta({ description: "The source's id.", examples: ["src_0123456789abcdef0123456789abcdef"] });
const text = z.string();
const ifNoneMatch = z
  .string()
  .optional()
  .meta({ description: "The entity tag you hold; answered with 304 while nothing changed." });
const retryAfter = z.string().optional().meta({ description: "Seconds after which to ask again." });

/** One way to write a submission per kind, so that its payload is described in full. */
const Submission = z
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

const PATHS: Record<string, Record<string, ZodOpenApiOperationObject>> = {
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
        ...problems(400, 401, 403, 409, 413, 415, 422, 429, 503),
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
  "/api/v1/sources": {
    post: {
      operationId: "uploadSource",
      tags: ["Sources"],
      summary: "Upload a file",
      description: "The body is the file. It is inspected before it can be used: ask for its status.",
      requestParams: {
        query: z.object({
          purpose: z
            .string()
            .default("pages")
            .meta({
              description: "`pages` for a PDF, PNG or JPEG; `<kind>/<table>` for a CSV file.",
              examples: ["depot-report/shipments"],
            }),
        }),
        header: z.object({
          "Bindery-Title": z.string().optional().meta({ description: "What people call it, percent-encoded." }),
          "Content-Digest": z
            .string()
            .optional()
            .meta({
              description: "`sha-256=:<base64>:` (RFC 9530); what came must have it.",
              examples: [`sha-256=:${"A".repeat(43)}=:`],
            }),
        }),
      },
      requestBody: {
        required: true,
        content: { "application/octet-stream": { schema: { type: "string", description: "The bytes of the file." } } },
      },
      responses: {
        "202": {
          description: "Received; its inspection is queued.",
          headers: z.object({ Location: text, "Retry-After": retryAfter }),
          content: { "application/json": { schema: SourceReceipt } },
        },
        ...problems(400, 401, 403, 413, 422, 503),
      },
    },
  },
  "/api/v1/sources/{sourceId}": {
    get: {
      operationId: "readSource",
      tags: ["Sources"],
      summary: "Ask what was found in a file",
      description: "Pages, what will be removed from it, or why it cannot be used and what to do.",
      requestParams: { path: z.object({ sourceId }), header: z.object({ "If-None-Match": ifNoneMatch }) },
      responses: {
        "200": { description: "What is known.", content: { "application/json": { schema: Source } } },
        "304": { description: "Nothing changed." },
        ...problems(401, 403, 404),
      },
    },
  },
};

function problems(...statuses: number[]): ZodOpenApiResponsesObject {
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

function submissionExamples() {
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

function batchExamples() {
  const items = KINDS.slice(0, 1).map((kind) => ({
    idempotencyKey: "import-2026-11-0001",
    kind: kind.name,
    payload: kind.samples.typical.payload,
  }));
  return { one: { summary: "A batch of one", value: { items } } };
}

function pascal(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
