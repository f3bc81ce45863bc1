import { PacketFailure } from "@/server/domain/failure";
import { parseBody, readJson } from "@/server/http/json-body";
import { BATCH_BYTES_MAX, BatchEnvelope, BatchSubmission } from "@/server/http/machine-schemas";
import { problemOf } from "@/server/http/problem";
import { BATCH_ITEMS_MAX, submitBatch } from "@/server/services/packets/submit-batch";
import { machineRoute, onlyMethods } from "../../../../_web/machine-route";
import { receiptOf } from "../receipt";

/** Accepts up to 1,000 packets; answers with one result per item, in their order. [C73,C82] */
export const POST = machineRoute("packets:write", async ({ request, services, actor, requestId }) => {
  const batch = await readJson(request, BatchEnvelope, BATCH_BYTES_MAX);
  if (batch.items.length > BATCH_ITEMS_MAX) throw new PacketFailure("batch_too_large");
  const { items } = parseBody(BatchSubmission, batch);
  const answers = await submitBatch(services, actor, { items, correlationId: requestId });
  const results = answers.map((answer, index) => {
    if (answer.status === "refused") {
      const problem = problemOf(answer.failure, requestId, ["items", index, "payload"]);
      return { status: answer.status, problem };
    }
    const { status, jobId } = answer;
    return { status, ...receiptOf(services.baseUrl, { jobId, replayed: status === "replayed" }) };
  });
  return Response.json({ results }, { headers: { "cache-control": "no-store" } });
});

const others = onlyMethods("POST");

export { others as DELETE, others as GET, others as OPTIONS, others as PATCH, others as PUT };
