-- AlterTable
ALTER TABLE "artifacts" ADD COLUMN     "erased_rule" TEXT;

-- AlterTable
ALTER TABLE "download_links" ADD COLUMN     "issued_by" TEXT NOT NULL DEFAULT '',
ALTER COLUMN "user_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "discarded_at" TIMESTAMPTZ(3),
ADD COLUMN     "discarded_by" TEXT,
ADD COLUMN     "weight" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "worker_instances" ADD COLUMN     "has_room" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "tail" TEXT NOT NULL,
    "permissions" TEXT[],
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staged_files" (
    "job_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "stage" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "erase_by" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "staged_files_pkey" PRIMARY KEY ("job_id","attempt","stage","index")
);

-- CreateTable
CREATE TABLE "maintenance_runs" (
    "id" BIGSERIAL NOT NULL,
    "task" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ms" INTEGER NOT NULL,
    "done" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "lag_ms_max" BIGINT NOT NULL,

    CONSTRAINT "maintenance_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_tenant_id_id_key" ON "api_keys"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "staged_files_key_key" ON "staged_files"("key");

-- CreateIndex
CREATE INDEX "staged_files_erase_by_idx" ON "staged_files"("erase_by");

-- CreateIndex
CREATE INDEX "maintenance_runs_task_at_idx" ON "maintenance_runs"("task", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "jobs_redrive_of_key" ON "jobs"("redrive_of");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "staged_files" ADD CONSTRAINT "staged_files_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Closing a dead letter is written on its row; it changes nothing else of it.
CREATE OR REPLACE FUNCTION refuse_job_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The columns that attempts, cancelling and operators write. Whatever is added later is frozen until it is named here.
  written CONSTANT TEXT[] := ARRAY['state', 'stage', 'attempt', 'due_at', 'lease_until', 'worker_id', 'renderer_build',
    'claimed_at', 'validated_at', 'fetched_at', 'rendered_at', 'assembled_at', 'verified_at', 'published_at', 'settled_at', 'erased_at',
    'failure_code', 'first_failure_code', 'failure_stage', 'failure_position', 'failure_page', 'failure_fields',
    'discarded_at', 'discarded_by'];
BEGIN
  IF to_jsonb(NEW) - written IS DISTINCT FROM to_jsonb(OLD) - written THEN
    RAISE EXCEPTION 'an accepted job is frozen' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."state" IN ('completed','validation_failed','dead_letter','cancelled') AND NEW."state" <> OLD."state" THEN
    RAISE EXCEPTION 'a terminal state stays terminal' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW."attempt" < OLD."attempt" THEN
    RAISE EXCEPTION 'attempts only count up' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."discarded_at" IS NOT NULL AND NEW."discarded_at" IS DISTINCT FROM OLD."discarded_at" THEN
    RAISE EXCEPTION 'a discarded job stays discarded' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION refuse_record_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written CONSTANT TEXT[] := ARRAY['erased_at', 'erased_by', 'erased_rule'];
BEGIN
  IF TG_OP = 'DELETE' OR OLD."erased_at" IS NOT NULL OR to_jsonb(NEW) - written IS DISTINCT FROM to_jsonb(OLD) - written THEN
    RAISE EXCEPTION 'an archive record is not rewritten' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- Of what a stage left only the erasure is written later; its deadline never moves.
CREATE FUNCTION refuse_staged_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - 'erased_at' IS DISTINCT FROM to_jsonb(OLD) - 'erased_at' THEN
    RAISE EXCEPTION 'a staged file is frozen' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "staged_files_frozen" BEFORE UPDATE ON "staged_files" FOR EACH ROW EXECUTE FUNCTION refuse_staged_rewrite();

-- Of a key only its use and its end are written later: what it may do was decided when it was made.
CREATE FUNCTION refuse_api_key_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written CONSTANT TEXT[] := ARRAY['last_used_at', 'revoked_at', 'revoked_by'];
BEGIN
  IF to_jsonb(NEW) - written IS DISTINCT FROM to_jsonb(OLD) - written OR
     (OLD."revoked_at" IS NOT NULL AND NEW."revoked_at" IS DISTINCT FROM OLD."revoked_at") THEN
    RAISE EXCEPTION 'an API key is frozen' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "api_keys_frozen" BEFORE UPDATE ON "api_keys" FOR EACH ROW EXECUTE FUNCTION refuse_api_key_rewrite();

GRANT SELECT ON "api_keys", "staged_files", "maintenance_runs" TO bindery_web, bindery_worker;
REVOKE SELECT ON "api_keys" FROM bindery_worker;
GRANT INSERT, UPDATE ON "api_keys" TO bindery_web;
GRANT INSERT, UPDATE ON "staged_files" TO bindery_worker;
GRANT INSERT, DELETE ON "maintenance_runs" TO bindery_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO bindery_web, bindery_worker;
