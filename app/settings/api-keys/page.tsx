import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { api, Prefetched, prefetch } from "../../_trpc/server";
import { requireSession } from "../../_web/session";
import { ApiKeys } from "./api-keys";

export const metadata: Metadata = { title: "API keys" };

/** The ways in that a tenant's programs have. For its administrators. */
export default async function ApiKeysPage() {
  const { view } = await requireSession();
  if (view.tenant?.role !== "admin") notFound();
  await prefetch(api.tenants.apiKeys.queryOptions());
  return (
    <Prefetched>
      <ApiKeys />
    </Prefetched>
  );
}
