import { describe, expect, it } from "vitest";
import { isFailureCode, PacketFailure, policyOf } from "@/server/domain/failure";
import { identifySource } from "./identify";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
const PDF = Buffer.from("%PDF-1.4\n1 0 obj\n");

function codeOf(bytes: Uint8Array): string {
  try {
    identifySource(bytes);
  } catch (error) {
    if (error instanceof PacketFailure && isFailureCode(error.code)) return error.code;
  }
  return "accepted";
}

describe("what a file is", () => {
  it("is decided by its bytes alone: no name is even asked for [C97,C109]", () => {
    expect(identifySource(PNG)).toEqual({ type: "image/png" });
    expect(identifySource(JPEG)).toEqual({ type: "image/jpeg" });
    expect(identifySource(PDF)).toEqual({ type: "application/pdf", headerAt: 0 });
  });

  it("a PDF header counts within the first 1,024 bytes and not behind them", () => {
    for (const junk of [
      "\xef\xbb\xbf",
      "\n\n",
      "--boundary\r\nContent-Type: application/pdf\r\nContent-ID: 1\r\n\r\n",
    ]) {
      const bytes = Buffer.concat([Buffer.from(junk, "latin1"), PDF]);
      expect(identifySource(bytes)).toEqual({ type: "application/pdf", headerAt: junk.length });
    }
    expect(identifySource(Buffer.concat([Buffer.alloc(1024, "x"), PDF]))).toMatchObject({ headerAt: 1024 });
    expect(codeOf(Buffer.concat([Buffer.alloc(2000, "x"), PDF]))).toBe("source_unsupported_type");
  });

  it.each([
    ["HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1")],
    ["WebP", Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1")],
    ["TIFF", Buffer.from("II*\0\x08\0\0\0", "latin1")],
    ["GIF", Buffer.from("GIF89a")],
    ["SVG", Buffer.from('\n<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ["SVG behind a byte-order mark", Buffer.from('\xef\xbb\xbf<?xml version="1.0"?><svg/>', "latin1")],
    ["Office", Buffer.from("PK\x03\x04\x14\0[Content_Types].xml", "latin1")],
    ["old Office", Buffer.from("d0cf11e0a1b11ae100", "hex")],
    ["HTML error page", Buffer.from("<!DOCTYPE html><title>404</title>")],
    ["five letters", Buffer.from("hello")],
  ])("%s is an unsupported type, which no repetition makes better [C136]", (_, bytes) => {
    expect(codeOf(bytes)).toBe("source_unsupported_type");
    expect(policyOf("source_unsupported_type").disposition).toBe("permanent");
  });

  it("a file that is two things at once is what its first bytes say [C108]", () => {
    expect(codeOf(Buffer.concat([Buffer.from("GIF89a"), PDF]))).toBe("source_unsupported_type");
    expect(codeOf(Buffer.concat([Buffer.from("<html>"), PDF]))).toBe("source_unsupported_type");
    expect(identifySource(Buffer.concat([PNG, PDF]))).toEqual({ type: "image/png" });
  });

  it("nothing at all is an empty source", () => {
    expect(codeOf(Buffer.alloc(0))).toBe("source_empty");
  });
});
