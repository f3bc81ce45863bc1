import { defineConfig } from "@playwright/test";

const executablePath = process.env.BINDERY_CHROMIUM;

/** Keeps Chromium from talking to anybody but us, and lets it run in a container as root. */
const BROWSER_FLAGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-quic",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--no-pings",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
];

/** What looks at, or ends, what the other tests work with. */
const AFTERWARDS = /(worker-killed|traces-left)\.spec\.ts$/;

export default defineConfig({
  testDir: "e2e",
  outputDir: ".build/e2e",
  globalSetup: "./e2e/global-setup.ts",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  projects: [
    { name: "journeys", testIgnore: AFTERWARDS },
    { name: "afterwards", testMatch: AFTERWARDS, dependencies: ["journeys"] },
  ],
  reporter: [["line"], ["json"]],
  use: {
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: { args: BROWSER_FLAGS, ...(executablePath ? { executablePath } : {}) },
  },
});
