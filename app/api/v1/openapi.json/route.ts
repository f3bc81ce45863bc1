import { readEnv } from "@/server/env";
import { conditionalJson } from "@/server/http/conditional";
import { openApiDocument } from "@/server/http/openapi";
import { onlyMethods } from "../../../_web/machine-route";

/** The contract as OpenAPI 3.1. Public: it says what can be asked, and nothing of anybody. */
export function GET(request: Request): Response {
  return conditionalJson(request, openApiDocument(readEnv().baseUrl));
}

const others = onlyMethods("GET", "HEAD");

export { GET as HEAD, others as DELETE, others as OPTIONS, others as PATCH, others as POST, others as PUT };
