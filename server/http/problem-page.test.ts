import { describe, expect, it } from "vitest";
import { PacketFailure } from "@/server/domain/failure";
import { problemPage } from "./problem-page";

const way = { href: "/", words: "Go to your packets" };

describe("a file that cannot be served", () => {
  it.each([
    ["link_expired", 410],
    ["link_invalid", 403],
    ["artifact_disposed", 410],
    ["not_found", 404],
  ] as const)("%s is a page with the way on, never a download", async (code, status) => {
    const response = problemPage(new PacketFailure(code), way);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toContain("Go to your packets");
  });

  it("says nothing of an error that was not expected", async () => {
    const response = problemPage(new Error("ENOENT: /secret/place"), way);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
  });
});
