import { readEnv } from "@/server/env";
import { conditionalJson } from "@/server/http/conditional";
import { openApiDocument } from "@/server/http/openapi";

/** The contract as OpenAPI 3.1. Public: it says what can be asked, and nothing of anybody. */
export function GET(request: Request): Response {
  return conditionalJson(request, openApiDocument(readEnv().baseUrl));
}

export { GET as HEAD };
