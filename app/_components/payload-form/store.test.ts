import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { movedIndex, PayloadStore } from "./store";

const withRows = () => new PayloadStore({ name: "", rows: [{ a: 0 }, { a: 1 }, { a: 2 }] });
const rowsOf = (store: PayloadStore) => store.at(["rows"]);

describe("what is written in a form", () => {
  it("changes one place and leaves every other object as it was", () => {
    const store = withRows();
    const before = store.at(["rows", 0]);
    store.write(["rows", 1, "a"], 9);
    expect(rowsOf(store)).toEqual([{ a: 0 }, { a: 9 }, { a: 2 }]);
    expect(store.at(["rows", 0])).toBe(before);
    expect(store.changes()).toBe(1);
  });

  it("shows one finding per field, and takes it as answered when the field is changed", () => {
    const store = withRows();
    store.show([
      { path: ["name"], message: "Fill this in." },
      { path: ["name"], message: "Use letters." },
    ]);
    expect(store.findings()).toHaveLength(1);
    expect(store.problemAt(["name"])).toBe("Fill this in.");
    store.write(["name"], "x");
    expect(store.findings()).toEqual([]);
  });

  it("keeps what is wrong with a row at that row when others are added, removed or moved", () => {
    const store = withRows();
    store.show([{ path: ["rows", 1, "a"], message: "wrong" }]);
    store.insert(["rows"], 0, { a: -1 });
    expect(store.problemAt(["rows", 2, "a"])).toBe("wrong");
    store.move(["rows"], 2, 0);
    expect(store.problemAt(["rows", 0, "a"])).toBe("wrong");
    store.remove(["rows"], 3);
    expect(store.problemAt(["rows", 0, "a"])).toBe("wrong");
    store.remove(["rows"], 0);
    expect(store.findings()).toEqual([]);
  });

  it("says of every item where a move leaves it", () => {
    const length = 8;
    fc.assert(
      fc.property(fc.nat(length - 1), fc.nat(length - 1), (from, to) => {
        const items = Array.from({ length }, (_, index) => index);
        const moved = items.toSpliced(from, 1).toSpliced(to, 0, from);
        expect(items.map((item) => moved.indexOf(item))).toEqual(items.map((item) => movedIndex(item, from, to)));
      }),
    );
  });
});
