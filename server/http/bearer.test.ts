import { expect, it } from "vitest";
import { bearerOf } from "./bearer";

it.each([
  ["Bearer bk_abc-1", "bk_abc-1"],
  ["bearer   bk_abc", "bk_abc"],
  ["Basic bk_abc", null],
  ["Bearer", null],
  ["Bearer a b", null],
  ["Bearer bk_abc, Bearer bk_def", null],
  [`Bearer ${"a".repeat(201)}`, null],
])("reads %j as %j (RFC 6750, 2.1)", (authorization, secret) => {
  expect(bearerOf(new Headers({ authorization }))).toBe(secret);
});

it("reads no header as no secret", () => expect(bearerOf(new Headers())).toBeNull());
