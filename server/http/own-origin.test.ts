import { describe, expect, it } from "vitest";
import { isFromOwnPage } from "./own-origin";

const from = (headers: Record<string, string>) => isFromOwnPage(new Headers(headers));

describe("a request that changes something", () => {
  it("comes from a page of ours, as the browser says", () => {
    expect(from({ "sec-fetch-site": "same-origin", origin: "null" })).toBe(true);
    expect(from({ origin: "http://here.test:3000", host: "here.test:3000" })).toBe(true);
    expect(from({ origin: "https://here.test", host: "10.0.0.5", "x-forwarded-host": "here.test" })).toBe(true);
  });

  it("is refused from anywhere else", () => {
    expect(from({ "sec-fetch-site": "cross-site", origin: "http://here.test", host: "here.test" })).toBe(false);
    expect(from({ "sec-fetch-site": "same-site" })).toBe(false);
    expect(from({ "sec-fetch-site": "none" })).toBe(false);
    expect(from({ origin: "http://evil.test", host: "here.test" })).toBe(false);
    expect(from({ origin: "null", host: "here.test" })).toBe(false);
    expect(from({ host: "here.test" })).toBe(false);
  });
});
