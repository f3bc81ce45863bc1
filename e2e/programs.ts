import { createHash, randomBytes } from "node:crypto";
import { type APIRequestContext, request } from "@playwright/test";
import type pg from "pg";
import { expect, type Product } from "./fixtures";
import { newId } from "./people";

export interface Program {
  readonly keyId: string;
  readonly secret: string;
  /** Asks as this program: no cookie, only its key. */
  readonly api: APIRequestContext;
}

/** Gives a program a key of the tenant, as Settings do, with these permissions. */
export async function programOf(
  { product, database }: { product: Product; database: pg.Client },
  tenantId: string,
  permissions = ["packets:write", "packets:read", "sources:write", "links:issue"],
): Promise<Program> {
  const keyId = newId("key");
  const secret = `bk_${randomBytes(32).toString("base64url")}`;
  await database.query(
    `INSERT INTO api_keys (id, tenant_id, name, secret_hash, tail, permissions, created_by, created_at)
     SELECT $1, $2, 'Import', $3, $4, $5, user_id, now() FROM memberships WHERE tenant_id = $2 LIMIT 1`,
    [keyId, tenantId, createHash("sha256").update(secret).digest("hex"), secret.slice(-4), permissions],
  );
  const api = await request.newContext({
    baseURL: product.url,
    extraHTTPHeaders: { authorization: `Bearer ${secret}` },
    storageState: { cookies: [], origins: [] },
  });
  return { keyId, secret, api };
}

/** Reads until the packet has ended, each time with the entity tag of the time before; returns how it ended and the states met. */
export async function ended(program: Program, id: string) {
  let tag = "";
  const statuses: number[] = [];
  let body: Record<string, unknown> = {};
  await expect
    .poll(
      async () => {
        const answer = await program.api.get(`/api/v1/packets/${id}`, { headers: { "if-none-match": tag } });
        statuses.push(answer.status());
        if (answer.status() === 200) {
          tag = answer.headers().etag ?? "";
          body = await answer.json();
          expect(answer.headers()["retry-after"] === undefined).toBe(["succeeded", "failed"].includes(`${body.state}`));
        }
        return body.state;
      },
      { timeout: 40_000, intervals: [200] },
    )
    .toMatch(/succeeded|failed/);
  return { statuses, tag, body };
}
