// @ts-check

/** What every answer carries. The content policy of pages has a nonce and comes from proxy.ts. */
const HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  devIndicators: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // `npm test` checks the types of everything; a start need not do it again.
  typescript: { ignoreBuildErrors: true },
  // These hold native code, load files of their own, or are loaded lazily by the worker only.
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "@react-pdf/renderer",
    "fontkit",
    "pg",
    "pg-boss",
    "pino",
    "sharp",
  ],
  // The development server prints each request: a token is not for its log.
  logging: { incomingRequests: { ignore: [/^\/d\//] } },
  experimental: {
    // A build in a fresh clone has no cache to read, and writing one costs more than it saves.
    turbopackFileSystemCacheForBuild: false,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks", "@tabler/icons-react"],
  },
  headers: async () => [{ source: "/:path*", headers: HEADERS }],
};
