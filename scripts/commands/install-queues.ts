import pg from "pg";
import { installQueues } from "@/server/queue/boss";

// Run by `npm start` after the migrations, as the owner of the database: web and worker may use the queues, not make them.
const url = process.env.DATABASE_URL ?? "";
const client = new pg.Client({ connectionString: url });
await client.connect();
try {
  await installQueues(url, async (sql) => {
    await client.query(sql);
  });
} finally {
  await client.end();
}
