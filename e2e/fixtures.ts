import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  request,
} from "@playwright/test";
import pg from "pg";

export { expect };

/** The people of the demonstration whom tests sign in as, by the address that `npm start` prints. */
export const PEOPLE = {
  /** Admin of Northgate: monthly reports and board books. */
  admin: "admin@northgate.example",
  /** Coordinator of Harbour & Lane: onboarding packets. */
  hr: "hr@harbour.example",
  /** Coordinator of Meridian: depot reports. */
  depot: "depot@meridian.example",
  /** Recipient at Harbour & Lane. */
  newHire: "zoe.lukaszewicz@example.org",
  /** Of no tenant; sees how the service does. */
  operator: "operator@bindery.example",
} as const;
export type Who = keyof typeof PEOPLE;
export type Email = `${string}@${string}`;

export interface Product {
  readonly url: string;
  readonly databaseUrl: string;
  /** Where the product keeps archive, sources and workspaces. */
  readonly dataFolder: string;
  /** The process that keeps web and worker running. */
  readonly pid: number;
  readonly signIns: readonly { readonly who: string; readonly email: string; readonly password: string }[];
}

interface Options {
  /** Console errors that a test provokes on purpose, such as the browser's own line about a refused request. */
  readonly expectedConsoleErrors: readonly RegExp[];
}

export interface Fixtures {
  readonly product: Product;
  readonly watch: undefined;
  /** Gives the browserless visits of a person, or of somebody who is not signed in. */
  readonly visit: (who: Who | Email | null) => Promise<APIRequestContext>;
  /** The product's database, as its owner: for what no page can bring about, such as time gone by. */
  readonly database: pg.Client;
}

/**
 * Every test fails on an error in the browser's console, on an uncaught exception and on a request to anywhere but the
 * product, whatever else it looks at.
 */
export const test = base.extend<Options & Fixtures>({
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
      const complaints = complaintsOf(context, expectedConsoleErrors);
      await use(undefined);
      expect(complaints, "errors in the browser").toEqual([]);
    },
    { auto: true },
  ],

  visit: async ({ baseURL }, use) => {
    const open: APIRequestContext[] = [];
    await use(async (who) => {
      const cookies = who === null ? [] : await sessionOf(who);
      const visitor = await request.newContext({ baseURL: baseURL ?? "", storageState: { cookies, origins: [] } });
      open.push(visitor);
      return visitor;
    });
    for (const visitor of open) await visitor.dispose();
  },

  database: async ({ product }, use) => {
    const client = new pg.Client({ connectionString: product.databaseUrl });
    await client.connect();
    await use(client);
    await client.end();
  },
});

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
const sessions = new Map<string, Promise<Cookies>>();

/** Signs this page's browser in as one of the demonstration's people, or as whoever has this address. */
export async function signIn(page: Page, who: Who | Email): Promise<void> {
  await page.context().addCookies(await sessionOf(who));
}

/** Returns the cookies of one session per person, shared by all tests of this process. */
function sessionOf(who: Who | Email): Promise<Cookies> {
  const email = who in PEOPLE ? PEOPLE[who as Who] : who;
  const known = sessions.get(email) ?? newSession(email);
  sessions.set(email, known);
  return known;
}

/** Signs in over HTTP as the form does. */
async function newSession(email: string): Promise<Cookies> {
  const visitor = await request.newContext({ baseURL: readProduct().url });
  const { csrfToken } = await (await visitor.get("/api/auth/csrf")).json();
  const form = { csrfToken, email, password: passwordOf(email), json: "true" };
  const answer = await visitor.post("/api/auth/callback/credentials", { form });
  expect(answer.ok(), `${email} signs in`).toBe(true);
  const { cookies } = await visitor.storageState();
  await visitor.dispose();
  return cookies;
}

/** People whom tests add have the same password as the demonstration's. */
export function passwordOf(email: string): string {
  const { signIns } = readProduct();
  return (signIns.find((entry) => entry.email === email) ?? signIns[0])?.password ?? "";
}

/** Returns a list that fills with whatever goes wrong in a browser. */
export function complaintsOf(context: BrowserContext, expected: readonly RegExp[]): readonly string[] {
  const { origin } = new URL(readProduct().url);
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
