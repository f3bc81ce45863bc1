import { describe, expect, it } from "vitest";
import { artifactKey, digestOf, newId, parseDigest, parseId, previewKey, type RevisionId, type TenantId } from "./ids";

const tenant = newId("tenant");
const revision = newId("revision");

describe("ids", () => {
  it("carry 128 random bits and nothing about the thing they name", () => {
    const made = Array.from({ length: 200 }, () => newId("job"));
    expect(new Set(made).size).toBe(made.length);
    for (const id of made) expect(id).toMatch(/^job_[0-9a-f]{32}$/);
  });

  it("are refused where they are of another noun, cut, or not text at all", () => {
    const job = newId("job");
    expect(parseId("job", job)).toBe(job);
    for (const wrong of [
      newId("tenant"),
      job.slice(0, -1),
      `${job}0`,
      ` ${job}`,
      `${job}\n`,
      null,
      undefined,
      7,
      [job],
      { job },
    ]) {
      expect(parseId("job", wrong)).toBeNull();
    }
  });
});

describe("digests", () => {
  it("are SHA-256 of the bytes [C261]", () => {
    // FIPS 180-4, the message "abc".
    expect(digestOf("abc")).toBe("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(parseDigest(digestOf("abc"))).toBe(digestOf("abc"));
    expect(parseDigest("md5:900150983cd24fb0d6963f7d28e17f72")).toBeNull();
  });
});

describe("archive keys", () => {
  it("are the same for the same revision and audience, and different for any other [C262,C291]", () => {
    const key = artifactKey(tenant, revision, "board");
    expect(artifactKey(tenant, revision, "board")).toBe(key);
    expect(artifactKey(tenant, revision, "public")).not.toBe(key);
    expect(artifactKey(tenant, newId("revision"), "board")).not.toBe(key);
    expect(artifactKey(newId("tenant"), revision, "board")).not.toBe(key);
  });

  it("show no id, name or audience that could be read from a path [C207,C333]", () => {
    const key = artifactKey("ten_school-14" as TenantId, "rev_anna" as RevisionId, "board");
    expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it("of a preview and of an artifact never meet [C47]", () => {
    const job = newId("job");
    expect(previewKey(job)).not.toBe(artifactKey(tenant, revision, job));
  });
});
