-- The row of an upload comes before its bytes: until they are whole it is being received.
ALTER TABLE "sources" DROP CONSTRAINT "sources_state_known";
ALTER TABLE "sources" ADD CONSTRAINT "sources_state_known" CHECK ("state" IN ('receiving','inspecting','accepted','refused'));
