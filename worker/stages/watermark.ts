import { askSetting } from "../ask-setting";
import { passed, pathOf, SKIPPED, type Stage } from "./stage";

/** Makes the stamp that the manifest asks for, in a file of its own; `assemble` lays it over the pages. Inputs stay as they are. [C243] */
export const watermark: Stage = {
  name: "watermark",
  output: {
    keep: ({ stampPath }) => ({ paths: stampPath === null ? [] : [stampPath], facts: {} }),
    restore: (products, _facts, paths) => {
      products.stampPath = pathOf(paths, 0);
    },
  },
  run: async (work, tools, pulse) => {
    const text = work.kind.watermark(work.payload, work.audience);
    if (text === null) return SKIPPED;
    const outputPath = work.workspace.path("stamp.pdf");
    const answer = await tools.renderers.ask("stamp", { op: "stamp", text, outputPath }, askSetting(work, pulse));
    work.products.stampPath = outputPath;
    return passed({ bytes: answer.bytes });
  },
};
