import { hash, verify } from "@node-rs/argon2";

// OWASP's floor for argon2id: 19 MiB, two passes, one lane.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Longer passwords are refused rather than cut. */
export const PASSWORD_LENGTH_MAX = 200;

/** Returns the argon2id hash of a password, with its salt and parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

let nobody: Promise<string> | undefined;

/** True where the password matches. Takes as long for an unknown person as for a known one, so that nobody learns who has an account. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword("nobody has this password");
  const matches = await verify(passwordHash ?? (await nobody), password.slice(0, PASSWORD_LENGTH_MAX));
  return matches && passwordHash !== null && password.length <= PASSWORD_LENGTH_MAX;
}
