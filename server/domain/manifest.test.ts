import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PacketFailure } from "./failure";
import { type Digest, digestOf, type SourceId } from "./ids";
import { type FilePart, Manifest, manifestDigest, orderManifest } from "./manifest";

function file(position: number, name = `file ${position}`): FilePart {
  return {
    type: "file",
    position,
    sourceId: `src_${position}` as SourceId,
    digest: digestOf(name) as Digest,
    mediaType: "application/pdf",
    pages: 1,
    bytes: 10,
    title: name,
  };
}

function shuffledManifest() {
  return fc
    .uniqueArray(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 40 })
    .map((positions): Manifest => ({ parts: positions.map((position) => file(position)), tables: [] }));
}

describe("a manifest", () => {
  it("without parts is refused [C100]", () => {
    expect(() => orderManifest({ parts: [], tables: [] })).toThrow(new PacketFailure("manifest_empty"));
  });

  it("with two parts at one position is refused [C101]", () => {
    expect(() => orderManifest({ parts: [file(1), file(2), file(2, "other")], tables: [] })).toThrow(
      new PacketFailure("duplicate_positions"),
    );
  });

  it("puts its parts in the order of their positions, whatever order they came in [C16,C19,C240,C241]", () => {
    fc.assert(
      fc.property(shuffledManifest(), (manifest) => {
        const positions = orderManifest(manifest).parts.map((part) => part.position);
        expect(positions).toEqual([...positions].sort((a, b) => a - b));
        expect(positions).toHaveLength(manifest.parts.length);
      }),
    );
  });

  it("names sources by id and digest, and has no field for a path or an address [C25]", () => {
    const withPath = { parts: [{ ...file(1), path: "/etc/passwd" }], tables: [] };
    expect(Manifest.safeParse(withPath).success).toBe(false);
    expect(Manifest.safeParse({ parts: [file(1)], tables: [] }).success).toBe(true);
  });

  it("has no field for a query such as the latest report [C6]", () => {
    expect(Manifest.safeParse({ parts: [file(1)], tables: [], query: "latest" }).success).toBe(false);
  });
});

describe("the manifest digest", () => {
  it("is the same however keys and parts were written down [C20,C23]", () => {
    fc.assert(
      fc.property(shuffledManifest(), (manifest) => {
        const rewritten: Manifest = {
          tables: [],
          parts: manifest.parts
            .toReversed()
            .map((part) => Object.fromEntries(Object.entries(part).toReversed()) as FilePart),
        };
        expect(manifestDigest(rewritten)).toBe(manifestDigest(manifest));
      }),
    );
  });

  it("is another one where two parts change places, or one source changes [C20,C23]", () => {
    const first: Manifest = { parts: [file(1, "a"), file(2, "b")], tables: [] };
    const swapped: Manifest = {
      parts: [
        { ...file(1, "a"), position: 2 },
        { ...file(2, "b"), position: 1 },
      ],
      tables: [],
    };
    const changed: Manifest = { parts: [file(1, "a"), file(2, "c")], tables: [] };
    expect(manifestDigest(swapped)).not.toBe(manifestDigest(first));
    expect(manifestDigest(changed)).not.toBe(manifestDigest(first));
  });
});
