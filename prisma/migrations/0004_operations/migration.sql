-- What operators read by time must not cost more as the tables grow. Rows are written in the order of time, so block ranges are enough.

-- CreateIndex
CREATE INDEX "attempts_started_at_idx" ON "attempts" USING BRIN ("started_at");

-- CreateIndex
CREATE INDEX "checkpoints_started_at_idx" ON "checkpoints" USING BRIN ("started_at");

-- CreateIndex
CREATE INDEX "jobs_state_settled_at_idx" ON "jobs"("state", "settled_at" DESC);

-- CreateIndex
CREATE INDEX "jobs_revision_id_audience_idx" ON "jobs"("revision_id", "audience");
