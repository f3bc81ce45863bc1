// @ts-check
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "./postgres.mjs";

/**
 * Starts a server that is fast rather than crash safe and leaves nothing behind once stopped: for tests and checks.
 * @returns {Promise<{ url: (database: string) => string, stop: () => Promise<void> }>}
 */
export async function startTemporaryPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "bindery-postgres-"));
  // The server's own account must be able to pass through; the data folder inside is private to it.
  chmodSync(folder, 0o711);
  const postgres = await startPostgres({ dataFolder: join(folder, "data"), durable: false });
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.stop();
      for (const path of [postgres.dataFolder, folder]) rmSync(path, { recursive: true, force: true });
    },
  };
}
