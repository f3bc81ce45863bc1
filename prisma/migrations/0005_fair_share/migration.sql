-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "running_max" INTEGER;

-- Whose turn it is in a lane is looked up at every claim: the oldest waiting job of each tenant, what runs, and what was begun lately.
-- By lane alone it would be found by reading past everybody else's jobs.
DROP INDEX "jobs_due";
CREATE INDEX "jobs_due_by_tenant" ON "jobs" ("tenant_id", "lane", "due_at") WHERE "state" IN ('queued','retry_wait','running','published');
CREATE INDEX "jobs_running" ON "jobs" ("lane", "tenant_id") WHERE "state" IN ('running','published');
CREATE INDEX "jobs_begun" ON "jobs" ("lane", "claimed_at") WHERE "claimed_at" IS NOT NULL;
