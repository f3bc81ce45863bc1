import { z } from "zod";
import { Source, SourceReceipt } from "./machine-schemas";
import { ifNoneMatch, type Paths, problems, retryAfter, text } from "./openapi-answers";

const sourceId = z
  .string()
  .regex(/^src_[0-9a-f]{32}$/)
  .meta({ description: "The source's id.", examples: ["src_0123456789abcdef0123456789abcdef"] });

/** The calls about files. */
export const SOURCE_PATHS: Paths = {
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
