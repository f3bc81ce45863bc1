// @ts-check
import { ensureInstalled } from "./install.mjs";
import { runOnPinnedNode } from "./pinned-node.mjs";
import { printFailure } from "./plain-error.mjs";

// `npm test`: installs what is missing on the Node at hand, then runs every check on the pinned one.
try {
  await ensureInstalled();
  process.exitCode = await runOnPinnedNode("scripts/validate.mjs", process.argv.slice(2));
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
