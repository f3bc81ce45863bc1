import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Folders of pdfjs-dist that its worker asks for: character maps, stand-in fonts, decoders, colour profiles. */
const ASSET = /^(cmaps|standard_fonts|wasm|iccs)\/[A-Za-z0-9_-]+\.(bcmap|pfb|ttf|wasm|js|icc)$/;

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript",
  ttf: "font/ttf",
  wasm: "application/wasm",
};

interface RouteContext {
  readonly params: Promise<{ readonly asset: string[] }>;
}

/** What the viewer needs beside its code, straight from the package: `/pdfjs/<version>/<folder>/<file>`. Public, and the same for ever. */
export async function GET(_request: Request, context: RouteContext): Promise<Response> {
  const [, ...rest] = (await context.params).asset;
  const name = rest.join("/");
  const type = ASSET.exec(name)?.[2];
  if (type === undefined) return new Response(null, { status: 404 });
  const path = join(/* turbopackIgnore: true */ process.cwd(), "node_modules/pdfjs-dist", name);
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "content-type": TYPES[type] ?? "application/octet-stream",
      "cache-control": "public, max-age=31536000, immutable",
    },
  });
}
