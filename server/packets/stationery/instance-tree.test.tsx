import { Page, Text, View } from "@react-pdf/renderer";
import { Component, type ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { instanceTree } from "./instance-tree";

function Pair({ words }: { readonly words: readonly string[] }) {
  return (
    <>
      {words.map((word) => (
        <Text key={word}>{word}</Text>
      ))}
      {null}
      {false}
    </>
  );
}

function Broken(): ReactElement {
  throw new RangeError("no");
}

class Old extends Component {
  override render() {
    return null;
  }
}

describe("the tree for the renderer", () => {
  it("holds primitives only, in order, with their style and properties", () => {
    expect(
      instanceTree(
        <Page size="A4" style={{ padding: 3 }}>
          <Pair words={["a", "b"]} />
        </Page>,
      ),
    ).toEqual({
      type: "PAGE",
      box: {},
      style: { padding: 3 },
      props: { size: "A4" },
      children: ["a", "b"].map((value) => ({
        type: "TEXT",
        box: {},
        style: {},
        props: {},
        children: [{ type: "TEXT_INSTANCE", value }],
      })),
    });
  });

  it("a row's number is kept apart from ids, which would become destinations in the file", () => {
    const tree = instanceTree(
      <Page>
        <View id="row-12" />
        <View id="chapter" />
      </Page>,
    );
    expect(tree).toMatchObject({ children: [{ props: { row: 12 } }, { props: { id: "chapter" } }] });
  });

  it("text outside a text primitive is an error: the renderer would drop it", () => {
    expect(() => instanceTree(<Page>{"lost"}</Page>)).toThrow(TypeError);
  });

  it("what a component throws comes out as it is", () => {
    expect(() => instanceTree(<Page>{<Broken />}</Page>)).toThrow(RangeError);
  });

  it("classes are refused, and more than one root", () => {
    expect(() => instanceTree(<Old />)).toThrow(TypeError);
    expect(() =>
      instanceTree(
        <>
          <Page />
          <Page />
        </>,
      ),
    ).toThrow(TypeError);
  });
});
