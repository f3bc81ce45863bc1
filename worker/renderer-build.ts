import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What puts bytes on the page, beside our own code: exact versions, so that a change of any is a change of the build. */
const PACKAGES = [
  "@react-pdf/renderer",
  "pdf-lib",
  "fontkit",
  "@hyzyla/pdfium",
  "sharp",
  "react",
  "@expo-google-fonts/inter",
  "@expo-google-fonts/source-serif-4",
  "@expo-google-fonts/noto-sans",
] as const;

/**
 * Returns the renderer build: a digest over the bundled renderer process (templates, settings, layout), the versions of the packages it
 * uses (fonts among them) and of Node, whose tables decide where some scripts break lines. [C233,C247]
 */
export async function readRendererBuild(childPath: string): Promise<string> {
  const hash = createHash("sha256");
  for (const text of await bundledTexts(childPath)) hash.update(text).update("\0");
  const require = createRequire(import.meta.url);
  for (const name of PACKAGES) hash.update(`${name}@${await versionOf(name, require)}\0`);
  hash.update(`node ${process.versions.node}`);
  return hash.digest("hex").slice(0, 16);
}

/** Returns the bundle's entry and every chunk it can reach, in a stable order. */
async function bundledTexts(entry: string): Promise<string[]> {
  const texts = new Map<string, string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const text = await readFile(path, "utf8");
    texts.set(path, text);
    for (const [, relative] of text.matchAll(/["'](\.{1,2}\/[\w./-]+\.js)["']/g)) {
      if (relative !== undefined) waiting.push(join(dirname(path), relative));
    }
  }
  return [...texts.keys()].sort().map((path) => texts.get(path) ?? "");
}

async function versionOf(name: string, require: NodeJS.Require): Promise<string> {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const manifest: unknown = JSON.parse(await readFile(join(folder, name, "package.json"), "utf8"));
      return String(Reflect.get(Object(manifest), "version"));
    } catch {
      // Not in this folder: packages may stand in any of those above.
    }
  }
  throw new Error(`The package ${name} is not installed.`);
}
