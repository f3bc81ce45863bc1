import { describe, expect, it } from "vitest";
import { beginsAtFirstByte, LENGTH_HEADER, serveBytes } from "./serve-bytes";

const BYTES = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251);
const opened: unknown[] = [];
const served = {
  bytes: BYTES.length,
  mediaType: "application/pdf",
  entityTag: "sha256:ab",
  disposition: "attachment",
  open: async (range?: { start: number; end: number }) => {
    opened.push(range);
    const part = range === undefined ? BYTES : BYTES.slice(range.start, range.end + 1);
    return new Blob([part]).stream();
  },
};

const ask = (headers: Record<string, string> = {}, method = "GET") =>
  serveBytes(new Request("http://here.test/d/x", { method, headers }), served);
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("bytes over HTTP", () => {
  it("whole: length, tag, name, and nothing that a browser may keep, guess or run", async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(BYTES);
    const header = (name: string) => response.headers.get(name);
    expect(header("content-length")).toBe("1000");
    expect(header(LENGTH_HEADER)).toBe("1000");
    expect(header("etag")).toBe('"sha256:ab"');
    expect(header("cache-control")).toContain("no-store");
    expect(header("x-content-type-options")).toBe("nosniff");
    expect(header("content-security-policy")).toContain("sandbox");
    expect(header("cross-origin-resource-policy")).toBe("same-origin");
    expect(header("referrer-policy")).toBe("no-referrer");
    expect(header("accept-ranges")).toBe("bytes");
  });

  it.each([
    ["bytes=0-1", 0, 1],
    ["bytes=0-", 0, 999],
    ["bytes=-500", 500, 999],
    ["bytes=990-5000", 990, 999],
  ])("one range is answered with 206 and exactly those bytes: %s", async (range, start, end) => {
    const response = await ask({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/1000`);
    expect(response.headers.get("content-length")).toBe(String(end - start + 1));
    expect(await bytesOf(response)).toEqual(BYTES.slice(start, end + 1));
  });

  it.each(["bytes=10-5", "bytes=1000-", "bytes=abc", "bytes=-0"])(
    "nonsense is answered with 416 and the size: %s",
    async (range) => {
      const response = await ask({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe("bytes */1000");
      expect(response.headers.get("content-type")).toBeNull();
    },
  );

  it.each(["bytes=0-1,4-5", "lines=1-2"])(
    "several ranges, or other units, are answered with the whole: %s",
    async (range) => {
      const response = await ask({ range });
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).length).toBe(1_000);
    },
  );

  it("a range that holds only for another version is answered with the whole", async () => {
    expect((await ask({ range: "bytes=0-1", "if-range": '"sha256:other"' })).status).toBe(200);
    expect((await ask({ range: "bytes=0-1", "if-range": '"sha256:ab"' })).status).toBe(206);
  });

  it("bytes that the client holds are not sent again", async () => {
    for (const known of ['"sha256:ab"', 'W/"sha256:ab"', '"x", "sha256:ab"', "*"]) {
      const response = await ask({ "if-none-match": known });
      expect(response.status).toBe(304);
      expect((await bytesOf(response)).length).toBe(0);
    }
    expect((await ask({ "if-none-match": '"sha256:other"' })).status).toBe(200);
  });

  it("HEAD has the length and opens nothing", async () => {
    const before = opened.length;
    const response = await ask({}, "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-length")).toBe("1000");
    expect(response.body).toBeNull();
    expect(opened.length).toBe(before);
  });
});

describe("what counts as a download", () => {
  const request = (method: string, range?: string) =>
    new Request("http://here.test/", { method, headers: range === undefined ? {} : { range } });

  it("begins at the first byte; looking and later ranges do not count", () => {
    expect(beginsAtFirstByte(request("GET"))).toBe(true);
    expect(beginsAtFirstByte(request("GET", "bytes=0-65535"))).toBe(true);
    expect(beginsAtFirstByte(request("GET", "bytes=65536-"))).toBe(false);
    expect(beginsAtFirstByte(request("HEAD"))).toBe(false);
  });
});
