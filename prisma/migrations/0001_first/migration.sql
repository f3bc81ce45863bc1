-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "tenants" (
    "id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "accent" TEXT NOT NULL DEFAULT '#0f5e63',
    "logo" BYTEA,
    "paper" TEXT NOT NULL DEFAULT 'A4',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "outstanding_max" INTEGER NOT NULL DEFAULT 2000,
    "strict_sources" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tenant_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_failures" (
    "id" BIGSERIAL NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_failures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sources" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "media_type" TEXT,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "rows_digest" TEXT,
    "rows_bytes" BIGINT NOT NULL DEFAULT 0,
    "sizes" JSONB NOT NULL DEFAULT '[]',
    "disclosures" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "failure_code" TEXT,
    "failure_page" INTEGER,
    "findings" JSONB NOT NULL DEFAULT '[]',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "uploaded_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "inspected_at" TIMESTAMPTZ(3),
    "erase_by" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "library_documents" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "library_documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payloads" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "erase_by" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payloads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revisions" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "business_identity" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "payload_id" TEXT NOT NULL,
    "payload_digest" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "submissions" (
    "tenant_id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "submissions_pkey" PRIMARY KEY ("tenant_id","idempotency_key")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "fidelity" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "revision_id" TEXT,
    "payload_id" TEXT NOT NULL,
    "business_identity" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "manifest_digest" TEXT NOT NULL,
    "tables" JSONB NOT NULL DEFAULT '[]',
    "validation_version" INTEGER NOT NULL,
    "template_version" INTEGER NOT NULL,
    "renderer_build" TEXT,
    "lane" TEXT NOT NULL,
    "declared_pages" INTEGER NOT NULL,
    "declared_bytes" BIGINT NOT NULL,
    "declared_rows" INTEGER NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "created_by" TEXT,
    "redrive_of" TEXT,
    "state" TEXT NOT NULL,
    "stage" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "attempts_max" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "worker_id" TEXT,
    "finish_by" TIMESTAMPTZ(3) NOT NULL,
    "erase_by" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "validated_at" TIMESTAMPTZ(3),
    "fetched_at" TIMESTAMPTZ(3),
    "rendered_at" TIMESTAMPTZ(3),
    "assembled_at" TIMESTAMPTZ(3),
    "verified_at" TIMESTAMPTZ(3),
    "published_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "failure_code" TEXT,
    "first_failure_code" TEXT,
    "failure_stage" TEXT,
    "failure_position" INTEGER,
    "failure_page" INTEGER,
    "failure_fields" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "manifest_parts" (
    "job_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "part" JSONB NOT NULL,

    CONSTRAINT "manifest_parts_pkey" PRIMARY KEY ("job_id","position")
);

-- CreateTable
CREATE TABLE "attempts" (
    "job_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "worker_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "failure_code" TEXT,
    "failure_stage" TEXT,
    "workspace_erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("job_id","number")
);

-- CreateTable
CREATE TABLE "checkpoints" (
    "job_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "stage" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ms" INTEGER NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "checkpoints_pkey" PRIMARY KEY ("job_id","attempt","stage")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "revision_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "business_identity" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "archive_key" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "digest" TEXT NOT NULL,
    "pages" INTEGER NOT NULL,
    "page_map" JSONB NOT NULL,
    "manifest_digest" TEXT NOT NULL,
    "template_version" INTEGER NOT NULL,
    "renderer_build" TEXT NOT NULL,
    "validation" JSONB NOT NULL,
    "archival_level" TEXT,
    "attempt" INTEGER NOT NULL,
    "committed_at" TIMESTAMPTZ(3) NOT NULL,
    "retain_until" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),
    "erased_by" TEXT,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "previews" (
    "job_id" TEXT NOT NULL,
    "preview_key" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "pages" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "previews_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "packet_readers" (
    "job_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn" TIMESTAMPTZ(3),

    CONSTRAINT "packet_readers_pkey" PRIMARY KEY ("job_id","user_id")
);

-- CreateTable
CREATE TABLE "download_links" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "artifact_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "download_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" BIGSERIAL NOT NULL,
    "tenant_id" TEXT,
    "actor_id" TEXT,
    "actor_type" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "facts" JSONB NOT NULL DEFAULT '{}',
    "previous_hash" TEXT,
    "hash" TEXT,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker_instances" (
    "id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "renderer_build" TEXT NOT NULL,
    "rss_bytes" BIGINT NOT NULL,
    "workspace_bytes" BIGINT NOT NULL,
    "running" INTEGER NOT NULL,

    CONSTRAINT "worker_instances_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sign_in_failures_subject_at_idx" ON "sign_in_failures"("subject", "at");

-- CreateIndex
CREATE INDEX "sources_erase_by_idx" ON "sources"("erase_by");

-- CreateIndex
CREATE INDEX "sources_state_idx" ON "sources"("state");

-- CreateIndex
CREATE UNIQUE INDEX "sources_tenant_id_id_key" ON "sources"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "library_documents_tenant_id_id_key" ON "library_documents"("tenant_id", "id");

-- CreateIndex
CREATE INDEX "payloads_erase_by_idx" ON "payloads"("erase_by");

-- CreateIndex
CREATE UNIQUE INDEX "revisions_tenant_id_id_key" ON "revisions"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "revisions_tenant_id_kind_business_identity_number_key" ON "revisions"("tenant_id", "kind", "business_identity", "number");

-- CreateIndex
CREATE INDEX "jobs_tenant_id_accepted_at_idx" ON "jobs"("tenant_id", "accepted_at" DESC);

-- CreateIndex
CREATE INDEX "jobs_lane_state_due_at_idx" ON "jobs"("lane", "state", "due_at");

-- CreateIndex
CREATE UNIQUE INDEX "jobs_tenant_id_id_key" ON "jobs"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_job_id_key" ON "artifacts"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_archive_key_key" ON "artifacts"("archive_key");

-- CreateIndex
CREATE INDEX "artifacts_tenant_id_committed_at_idx" ON "artifacts"("tenant_id", "committed_at" DESC);

-- CreateIndex
CREATE INDEX "artifacts_digest_idx" ON "artifacts"("digest");

-- CreateIndex
CREATE INDEX "artifacts_retain_until_idx" ON "artifacts"("retain_until");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_tenant_id_id_key" ON "artifacts"("tenant_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_revision_id_audience_key" ON "artifacts"("revision_id", "audience");

-- CreateIndex
CREATE UNIQUE INDEX "previews_preview_key_key" ON "previews"("preview_key");

-- CreateIndex
CREATE INDEX "previews_expires_at_idx" ON "previews"("expires_at");

-- CreateIndex
CREATE INDEX "packet_readers_user_id_idx" ON "packet_readers"("user_id");

-- CreateIndex
CREATE INDEX "audit_events_subject_id_idx" ON "audit_events"("subject_id");

-- CreateIndex
CREATE INDEX "audit_events_tenant_id_id_idx" ON "audit_events"("tenant_id", "id");

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sources" ADD CONSTRAINT "sources_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "library_documents" ADD CONSTRAINT "library_documents_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "library_documents" ADD CONSTRAINT "library_documents_tenant_id_source_id_fkey" FOREIGN KEY ("tenant_id", "source_id") REFERENCES "sources"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payloads" ADD CONSTRAINT "payloads_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "revisions" ADD CONSTRAINT "revisions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_tenant_id_job_id_fkey" FOREIGN KEY ("tenant_id", "job_id") REFERENCES "jobs"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_tenant_id_revision_id_fkey" FOREIGN KEY ("tenant_id", "revision_id") REFERENCES "revisions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "manifest_parts" ADD CONSTRAINT "manifest_parts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_tenant_id_revision_id_fkey" FOREIGN KEY ("tenant_id", "revision_id") REFERENCES "revisions"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "previews" ADD CONSTRAINT "previews_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "packet_readers" ADD CONSTRAINT "packet_readers_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "packet_readers" ADD CONSTRAINT "packet_readers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "download_links" ADD CONSTRAINT "download_links_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "download_links" ADD CONSTRAINT "download_links_tenant_id_artifact_id_fkey" FOREIGN KEY ("tenant_id", "artifact_id") REFERENCES "artifacts"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "download_links" ADD CONSTRAINT "download_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Invariants that the schema language cannot say. They hold whatever a process believes.

ALTER TABLE "jobs"
  ADD CONSTRAINT "jobs_state_known" CHECK ("state" IN ('queued','running','retry_wait','published','completed','validation_failed','dead_letter','cancelled')),
  ADD CONSTRAINT "jobs_lane_known" CHECK ("lane" IN ('interactive','archive','oversize')),
  ADD CONSTRAINT "jobs_fidelity_known" CHECK ("fidelity" IN ('preview','archival')),
  ADD CONSTRAINT "jobs_archival_has_revision" CHECK (("fidelity" = 'archival') = ("revision_id" IS NOT NULL)),
  ADD CONSTRAINT "jobs_preview_is_interactive" CHECK (("fidelity" = 'preview') = ("lane" = 'interactive')),
  ADD CONSTRAINT "jobs_running_has_lease" CHECK ("state" <> 'running' OR ("lease_until" IS NOT NULL AND "worker_id" IS NOT NULL)),
  ADD CONSTRAINT "jobs_attempts_bounded" CHECK ("attempts_max" BETWEEN 1 AND 10);

-- One job per tenant and key, unless the earlier one ended without a result and a person asked again.
CREATE UNIQUE INDEX "jobs_one_per_key" ON "jobs" ("tenant_id", "idempotency_key") WHERE "state" NOT IN ('dead_letter','cancelled','validation_failed');
-- One live or finished job per revision and audience.
CREATE UNIQUE INDEX "jobs_one_per_revision" ON "jobs" ("revision_id", "audience") WHERE "state" NOT IN ('dead_letter','cancelled','validation_failed');
-- The work that is due, found without reading what is finished.
CREATE INDEX "jobs_due" ON "jobs" ("lane", "due_at") WHERE "state" IN ('queued','retry_wait','running','published');
CREATE INDEX "jobs_outstanding" ON "jobs" ("tenant_id") WHERE "state" IN ('queued','retry_wait','running','published');
CREATE INDEX "audit_events_unchained" ON "audit_events" ("id") WHERE "hash" IS NULL;

ALTER TABLE "sources"
  ADD CONSTRAINT "sources_state_known" CHECK ("state" IN ('inspecting','accepted','refused')),
  ADD CONSTRAINT "sources_refusal_has_code" CHECK (("state" = 'refused') = ("failure_code" IS NOT NULL));
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_known" CHECK ("role" IN ('admin','coordinator','viewer','recipient'));
ALTER TABLE "users" ADD CONSTRAINT "users_email_lower_case" CHECK ("email" = lower("email"));
ALTER TABLE "artifacts"
  ADD CONSTRAINT "artifacts_digest_form" CHECK ("digest" ~ '^sha256:[0-9a-f]{64}$'),
  ADD CONSTRAINT "artifacts_not_empty" CHECK ("bytes" > 0 AND "pages" > 0);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% rows are immutable', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER "revisions_immutable" BEFORE UPDATE OR DELETE ON "revisions" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "manifest_parts_immutable" BEFORE UPDATE OR DELETE ON "manifest_parts" FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What was accepted stays as it was accepted, whatever attempt is running.
CREATE FUNCTION refuse_job_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."id", NEW."tenant_id", NEW."kind", NEW."fidelity", NEW."audience", NEW."revision_id", NEW."payload_id", NEW."business_identity",
      NEW."scope", NEW."period", NEW."idempotency_key", NEW."fingerprint", NEW."manifest_digest", NEW."tables", NEW."validation_version",
      NEW."lane", NEW."correlation_id", NEW."finish_by", NEW."erase_by", NEW."accepted_at", NEW."attempts_max", NEW."redrive_of")
     IS DISTINCT FROM
     (OLD."id", OLD."tenant_id", OLD."kind", OLD."fidelity", OLD."audience", OLD."revision_id", OLD."payload_id", OLD."business_identity",
      OLD."scope", OLD."period", OLD."idempotency_key", OLD."fingerprint", OLD."manifest_digest", OLD."tables", OLD."validation_version",
      OLD."lane", OLD."correlation_id", OLD."finish_by", OLD."erase_by", OLD."accepted_at", OLD."attempts_max", OLD."redrive_of") THEN
    RAISE EXCEPTION 'an accepted job is frozen' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF OLD."state" IN ('completed','validation_failed','dead_letter','cancelled') AND NEW."state" <> OLD."state" THEN
    RAISE EXCEPTION 'a terminal state stays terminal' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW."attempt" < OLD."attempt" THEN
    RAISE EXCEPTION 'attempts only count up' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "jobs_frozen" BEFORE UPDATE ON "jobs" FOR EACH ROW EXECUTE FUNCTION refuse_job_rewrite();

-- An audit event is written once and chained once.
CREATE FUNCTION refuse_audit_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD."hash" IS NOT NULL
     OR (NEW."id", NEW."tenant_id", NEW."actor_id", NEW."actor_type", NEW."action", NEW."subject_type", NEW."subject_id", NEW."correlation_id", NEW."at", NEW."facts")
        IS DISTINCT FROM
        (OLD."id", OLD."tenant_id", OLD."actor_id", OLD."actor_type", OLD."action", OLD."subject_type", OLD."subject_id", OLD."correlation_id", OLD."at", OLD."facts") THEN
    RAISE EXCEPTION 'audit events are append-only' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events" FOR EACH ROW EXECUTE FUNCTION refuse_audit_rewrite();

-- An archive record keeps what it says about the bytes; only their disposal may be added.
CREATE FUNCTION refuse_record_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD."erased_at" IS NOT NULL
     OR (NEW."id", NEW."tenant_id", NEW."job_id", NEW."revision_id", NEW."audience", NEW."archive_key", NEW."bytes", NEW."digest", NEW."pages",
         NEW."manifest_digest", NEW."renderer_build", NEW."attempt", NEW."committed_at")
        IS DISTINCT FROM
        (OLD."id", OLD."tenant_id", OLD."job_id", OLD."revision_id", OLD."audience", OLD."archive_key", OLD."bytes", OLD."digest", OLD."pages",
         OLD."manifest_digest", OLD."renderer_build", OLD."attempt", OLD."committed_at") THEN
    RAISE EXCEPTION 'an archive record is not rewritten' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "artifacts_record" BEFORE UPDATE OR DELETE ON "artifacts" FOR EACH ROW EXECUTE FUNCTION refuse_record_rewrite();

-- The web and worker processes own nothing: each works under a role of its own.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bindery_web') THEN CREATE ROLE bindery_web NOLOGIN NOINHERIT; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bindery_worker') THEN CREATE ROLE bindery_worker NOLOGIN NOINHERIT; END IF;
END $$;
GRANT bindery_web, bindery_worker TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO bindery_web, bindery_worker;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO bindery_web, bindery_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO bindery_web, bindery_worker;
GRANT INSERT ON "payloads", "revisions", "submissions", "jobs", "manifest_parts", "packet_readers", "audit_events", "download_links", "sessions",
  "sign_in_failures", "sources", "library_documents", "users", "memberships", "tenants" TO bindery_web;
GRANT UPDATE ON "submissions", "jobs", "packet_readers", "download_links", "sessions", "sources", "library_documents", "users", "memberships", "tenants" TO bindery_web;
GRANT DELETE ON "sessions", "sign_in_failures", "memberships" TO bindery_web;
GRANT INSERT ON "attempts", "checkpoints", "artifacts", "previews", "audit_events", "worker_instances" TO bindery_worker;
GRANT UPDATE ON "jobs", "attempts", "artifacts", "previews", "sources", "audit_events", "worker_instances" TO bindery_worker;
GRANT DELETE ON "payloads", "worker_instances", "sign_in_failures", "sessions", "checkpoints" TO bindery_worker;
