import { type BrowserContext, test as base, expect } from "@playwright/test";

export { expect };

export interface SignIn {
  readonly who: string;
  readonly email: string;
  readonly password: string;
}

interface Product {
  readonly url: string;
  readonly databaseUrl: string;
  readonly signIns: readonly SignIn[];
}

interface Options {
  /** Console errors that a test provokes on purpose, such as the browser's own line about a refused request. */
  readonly expectedConsoleErrors: readonly RegExp[];
}

/**
 * Every test fails on an error in the browser's console, on an uncaught exception and on a request to anywhere but the
 * product, whatever else it looks at.
 */
export const test = base.extend<Options & { product: Product; watch: undefined }>({
  expectedConsoleErrors: [[], { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from its first parameter.
  product: async ({}, use) => {
    await use(readProduct());
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above.
  baseURL: async ({}, use) => {
    await use(readProduct().url);
  },

  watch: [
    async ({ context, expectedConsoleErrors }, use) => {
      const complaints = complaintsOf(context, new URL(readProduct().url).origin, expectedConsoleErrors);
      await use(undefined);
      expect(complaints, "errors in the browser").toEqual([]);
    },
    { auto: true },
  ],
});

function complaintsOf(context: BrowserContext, origin: string, expected: readonly RegExp[]): string[] {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error" || expected.some((pattern) => pattern.test(message.text()))) return;
    complaints.push(`console: ${message.text()}`);
  });
  context.on("weberror", (event) => complaints.push(`uncaught: ${event.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin)
      complaints.push(`foreign request: ${url.origin}`);
  });
  return complaints;
}

function readProduct(): Product {
  const given = process.env.BINDERY_E2E;
  if (!given) throw new Error("global-setup.ts has not started the product");
  const product: Product = JSON.parse(given);
  return product;
}
