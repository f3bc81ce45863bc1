-- Rows stay as the account of what was erased; the sweep looks only at what is left.
CREATE INDEX "staged_files_left" ON "staged_files" ("erase_by") WHERE "erased_at" IS NULL;
