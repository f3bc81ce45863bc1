// @ts-check

import { breachesOfImportLaw } from "./import-law.mjs";
import { ROOT } from "./install.mjs";
import { breachesOfSourceLaw } from "./source-law.mjs";

/** A parser that understands nothing finds nothing wrong: fewer modules than this mean it did not read our code. */
const MODULES_MIN = 300;

const { breaches, modules } = await breachesOfImportLaw(ROOT);
const all = [...breaches, ...breachesOfSourceLaw(ROOT)];
if (modules < MODULES_MIN) all.push(`only ${modules} modules were read: the checker does not understand the code`);
for (const breach of all) console.error(breach);
console.log(`${modules} modules, ${all.length} breaches`);
process.exitCode = all.length > 0 ? 1 : 0;
