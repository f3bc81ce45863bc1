/** Returns the secret of an `Authorization: Bearer` header (RFC 6750, 2.1), or null where there is none. */
export function bearerOf(headers: Headers): string | null {
  return /^bearer +([\w-]{1,200})$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1] ?? null;
}
