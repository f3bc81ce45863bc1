import { z } from "zod";
import { DISCLOSURES } from "./renderer/requests";
import { type Output, pathOf } from "./stages/stage";

/** Prepared files in manifest order, then tables; a file's index is its place among them. */
const Facts = z.object({
  files: z.array(z.object({ position: z.int(), pages: z.int().min(1), disclosures: z.array(z.enum(DISCLOSURES)) })),
  tables: z.array(z.object({ table: z.string() })),
});

/** How clean pages and tables that were fetched outlive the workspace. */
export const keptSources: Output = {
  keep: ({ files, tables }) => {
    const inOrder = [...files].sort(([a], [b]) => a - b);
    return {
      paths: [...inOrder.map(([, file]) => file.path), ...tables.values()],
      facts: {
        files: inOrder.map(([position, { pages, disclosures }]) => ({
          position,
          pages,
          disclosures: [...disclosures],
        })),
        tables: [...tables.keys()].map((table) => ({ table })),
      },
    };
  },
  restore: (products, facts, paths) => {
    const { files, tables } = Facts.parse(facts);
    for (const [index, { position, ...file }] of files.entries()) {
      products.files.set(position, { path: pathOf(paths, index), ...file });
    }
    for (const [index, { table }] of tables.entries()) {
      products.tables.set(table, pathOf(paths, files.length + index));
    }
  },
};
