import { z } from "zod";
import { FAILURES } from "@/server/domain/failure";
import { KINDS } from "@/server/packets/registry";

// What programs send and get. The same schemas validate and describe: server/http/openapi.ts.

/** Bytes of one submission, and of a whole batch. [C81] */
export const SUBMISSION_BYTES_MAX = 2 * 1024 * 1024;
export const BATCH_BYTES_MAX = 32 * 1024 * 1024;

const kindNames = KINDS.map((kind) => kind.name);

export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .meta({
    description:
      "Your name for this operation: 1 to 255 visible ASCII characters. The same key with the same content is the same packet for ever.",
    examples: ["hr-onboarding-2026-0117"],
  });

/** A kind's payload is checked against the kind's own schema once the kind is known. */
export const PacketSubmission = z
  .strictObject({
    kind: z
      .string()
      .max(60)
      .meta({ description: `One of ${kindNames.join(", ")}.`, examples: ["monthly-report"] }),
    audience: z
      .string()
      .max(60)
      .optional()
      .meta({ description: "For whom; the kind's first audience where it is left out.", examples: ["board"] }),
    payload: z.record(z.string(), z.unknown()).meta({ description: "The content, as the kind's schema says." }),
  })
  .meta({ id: "PacketSubmission" });

/** A batch before its items are looked at: how many there are is known first, so that no number of them costs more than counting. [C82] */
export const BatchEnvelope = z.strictObject({ items: z.array(z.unknown()).min(1) });

export const BatchSubmission = z
  .strictObject({
    items: z
      .array(z.strictObject({ ...PacketSubmission.shape, idempotencyKey: IdempotencyKey }))
      .min(1)
      .meta({ description: "Up to 1,000 submissions. Each stands or falls on its own." }),
  })
  .meta({ id: "BatchSubmission" });

const instant = z.iso.datetime().meta({ examples: ["2026-12-01T09:30:00.000Z"] });
const digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ description: "SHA-256 of the bytes.", examples: [`sha256:${"0".repeat(64)}`] });
const state = z.enum(["queued", "running", "succeeded", "failed"]);
const failureCode = z
  .enum(Object.keys(FAILURES))
  .meta({ id: "FailureCode", description: "A stable code from a closed list." });

export const Problem = z
  .strictObject({
    type: z.string().meta({ examples: ["urn:bindery:problem:payload_invalid"] }),
    title: z
      .string()
      .meta({ description: "What to do, in plain words.", examples: ["Some fields need another look."] }),
    status: z.int().meta({ examples: [422] }),
    code: failureCode,
    requestId: z.string().meta({ description: "Name it when you ask for help." }),
    retryAfter: z.int().optional().meta({ description: "Seconds after which to send the same request again." }),
    errors: z
      .array(
        z.strictObject({
          pointer: z
            .string()
            .meta({ description: "Where, as a JSON pointer into the body.", examples: ["/payload/school/ref"] }),
          code: z.string(),
          detail: z.string(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Problem", description: "Why a request failed (RFC 9457)." });

export const PacketReceipt = z
  .strictObject({
    id: z.string().meta({ examples: ["job_0123456789abcdef0123456789abcdef"] }),
    replayed: z.boolean().meta({ description: "True where this request was accepted before: this is that packet." }),
    statusUrl: z.url(),
  })
  .meta({ id: "PacketReceipt" });

export const BatchReceipt = z
  .strictObject({
    results: z.array(
      z.union([
        z.strictObject({ status: z.enum(["accepted", "replayed"]), ...PacketReceipt.shape }),
        z.strictObject({ status: z.literal("refused"), problem: Problem }),
      ]),
    ),
  })
  .meta({ id: "BatchReceipt", description: "One result per item, in the order sent." });

export const Status = z
  .strictObject({
    id: z.string(),
    kind: z.string(),
    audience: z.string(),
    fidelity: z.string(),
    state,
    stage: z.string().nullable().meta({ description: "The stage under way; progress in the only form that is true." }),
    acceptedAt: instant,
    settledAt: instant.nullable(),
    finishBy: instant,
    failure: z.strictObject({ code: failureCode, message: z.string() }).nullable(),
    artifact: z
      .strictObject({
        bytes: z.int(),
        pages: z.int(),
        digest,
        committedAt: instant,
        retainUntil: instant,
        erasedAt: instant.nullable(),
      })
      .nullable()
      .meta({ description: "The archived PDF, once the packet has succeeded." }),
  })
  .meta({ id: "PacketStatus" });

export const StatusPage = z
  .strictObject({
    packets: z.array(Status),
    next: z.url().nullable().meta({ description: "The next page; null at the end." }),
  })
  .meta({ id: "PacketPage" });

export const StatusQuery = z.strictObject({
  kind: z.enum(kindNames).optional(),
  state: state.optional(),
  period: z
    .string()
    .max(20)
    .optional()
    .meta({ description: "As the kind says it.", examples: ["2026-11"] }),
  scope: z.string().max(200).optional().meta({ description: "A school, depot, board or employee." }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional().meta({ description: "From `next` of the page before." }),
});

export const Link = z
  .strictObject({
    url: z.url().meta({ description: "Opens for whoever holds it, for minutes. Keep it out of logs." }),
    bearer: z.literal(true),
    expiresAt: instant,
  })
  .meta({ id: "DownloadLink" });

export const SourceReceipt = z
  .strictObject({ id: z.string(), state: z.literal("inspecting"), bytes: z.int(), digest, statusUrl: z.url() })
  .meta({ id: "SourceReceipt" });

export const Source = z
  .strictObject({
    id: z.string(),
    state: z.enum(["inspecting", "accepted", "refused"]),
    mediaType: z.string().nullable(),
    bytes: z.int(),
    digest,
    pages: z.int(),
    rows: z.int(),
    disclosures: z.array(z.string()).meta({ description: "What will be removed or flattened when it is bound in." }),
    refusal: z.strictObject({ code: z.string(), message: z.string(), page: z.int().nullable() }).nullable(),
    findings: z.array(z.strictObject({ row: z.int(), column: z.string(), code: z.string(), message: z.string() })),
  })
  .meta({ id: "Source" });
