-- Nothing is on record for years that was not found valid: the checks stand in the row itself, and each of them has passed.
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_valid" CHECK (
  jsonb_typeof("validation") = 'array' AND jsonb_array_length("validation") > 0
  AND NOT jsonb_path_exists("validation", '$[*] ? (!(@.passed == true))'));
