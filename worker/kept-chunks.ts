import { z } from "zod";
import { type Output, pathOf } from "./stages/stage";

/** Runs of pages by part, each in one of the files; several may stand in the same. */
const Facts = z.object({
  parts: z.array(
    z.object({
      position: z.int(),
      chunks: z.array(z.object({ file: z.int().min(0), from: z.int().min(1), pages: z.int().min(1) })),
    }),
  ),
});

/** How rendered parts outlive the workspace. */
export const keptChunks: Output = {
  keep: ({ chunks }) => {
    const paths = [...new Set([...chunks.values()].flatMap((list) => list.map((chunk) => chunk.path)))];
    const parts = [...chunks].map(([position, list]) => ({
      position,
      chunks: list.map(({ path, from, pages }) => ({ file: paths.indexOf(path), from, pages })),
    }));
    return { paths, facts: { parts } };
  },
  restore: (products, facts, paths) => {
    for (const { position, chunks } of Facts.parse(facts).parts) {
      const restored = chunks.map(({ file, from, pages }) => ({ path: pathOf(paths, file), from, pages }));
      products.chunks.set(position, restored);
    }
  },
};
