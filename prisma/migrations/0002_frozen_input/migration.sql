-- What a job prints or was decided by is frozen too, and so is all that an archive record says.

CREATE OR REPLACE FUNCTION refuse_job_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The columns that attempts and cancelling write. Whatever is added later is frozen until it is named here.
  written CONSTANT TEXT[] := ARRAY['state', 'stage', 'attempt', 'due_at', 'lease_until', 'worker_id', 'renderer_build',
    'claimed_at', 'validated_at', 'fetched_at', 'rendered_at', 'assembled_at', 'verified_at', 'published_at', 'settled_at', 'erased_at',
    'failure_code', 'first_failure_code', 'failure_stage', 'failure_position', 'failure_page', 'failure_fields'];
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
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION refuse_record_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written CONSTANT TEXT[] := ARRAY['erased_at', 'erased_by'];
BEGIN
  IF TG_OP = 'DELETE' OR OLD."erased_at" IS NOT NULL OR to_jsonb(NEW) - written IS DISTINCT FROM to_jsonb(OLD) - written THEN
    RAISE EXCEPTION 'an archive record is not rewritten' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

-- A key keeps its meaning; only the job that stands for it may be followed by another.
CREATE FUNCTION refuse_key_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - 'job_id' IS DISTINCT FROM to_jsonb(OLD) - 'job_id' THEN
    RAISE EXCEPTION 'a key keeps its meaning' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "submissions_frozen" BEFORE UPDATE ON "submissions" FOR EACH ROW EXECUTE FUNCTION refuse_key_rewrite();
