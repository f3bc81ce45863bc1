import type pg from "pg";
import { type Email, PEOPLE, type Who } from "./fixtures";

export interface NewPerson {
  /** Of the demonstration's tenants, or of one that `addTenant` made. */
  readonly tenantId: string;
  readonly name: string;
  readonly role: "admin" | "coordinator" | "viewer" | "recipient";
  readonly scopes?: readonly string[];
}

/** Adds a person with the demonstration's password, as no page can yet. Returns the address they sign in with. */
export async function addPerson(database: pg.Client, { tenantId, name, role, scopes = [] }: NewPerson): Promise<Email> {
  const userId = newId("usr");
  const email: Email = `${userId}@example.org`;
  await database.query(
    `INSERT INTO users (id, email, name, password_hash, created_at)
     SELECT $1, $2, $3, password_hash, now() FROM users WHERE email = $4`,
    [userId, email, name, PEOPLE.admin],
  );
  await database.query(
    "INSERT INTO memberships (tenant_id, user_id, role, scopes, created_at) VALUES ($1, $2, $3, $4, now())",
    [tenantId, userId, role, scopes],
  );
  return email;
}

/** Adds a tenant without anything and returns its id. */
export async function addTenant(database: pg.Client, name: string): Promise<string> {
  const id = newId("ten");
  await database.query("INSERT INTO tenants (id, slug, name, created_at) VALUES ($1, $1, $2, now())", [id, name]);
  return id;
}

/** The tenant that one of the demonstration's people belongs to. */
export async function tenantOf(database: pg.Client, who: Who): Promise<string> {
  const found = await database.query(
    "SELECT tenant_id FROM memberships JOIN users ON users.id = user_id WHERE email = $1",
    [PEOPLE[who]],
  );
  return found.rows[0].tenant_id;
}

/** An id that nothing has. */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}
