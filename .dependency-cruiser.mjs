const WORKER_WIRING = "^worker/(main[.]ts|worker[.]ts|local-renderers[.]ts|make-packet[.]ts|commands/)";

/**
 * The import law. An arrow means "may import"; whatever is not drawn is an error. Tests may import more: they stand
 * beside their subject and set up its surroundings. `npm run lint` enforces it, scripts/import-law.test.ts tests it.
 * @type {Record<string, { from: string, to: readonly string[] }>}
 */
const ZONES = {
  domain: { from: "^server/domain/", to: ["^server/domain/"] },
  ports: { from: "^server/ports/", to: ["^server/(ports|domain)/"] },
  adapters: { from: "^server/adapters/", to: ["^server/(adapters|ports|domain)/"] },
  packets: { from: "^server/packets/", to: ["^server/(packets|domain)/"] },
  db: { from: "^server/db/", to: ["^server/(db|domain)/"] },
  queue: { from: "^server/queue/", to: ["^server/(queue|domain)/", "^server/db/client"] },
  telemetry: { from: "^server/telemetry/", to: ["^server/(telemetry|domain)/"] },
  services: { from: "^server/services/", to: ["^server/(services|domain|ports|packets|db|queue|telemetry)/"] },
  auth: { from: "^server/auth/", to: ["^server/(auth|services|domain|telemetry)/", "^server/(wiring|env)[.]ts$"] },
  api: {
    from: "^server/(api|http)/",
    // The contract for programs is made from the kinds' own schemas.
    to: [
      "^server/(api|http|services|auth|domain|telemetry)/",
      "^server/packets/(kind|registry)[.]ts$",
      "^server/(wiring|env)[.]ts$",
    ],
  },
  wiring: { from: "^server/wiring[.]ts$", to: ["^server/(?!api/|http/)"] },
  environment: { from: "^server/env[.]ts$", to: [] },
  worker: {
    from: `^worker/(?!pdf/|renderer/)(?!${WORKER_WIRING.slice("^worker/".length)})`,
    to: [
      "^worker/(?!pdf/|renderer/)",
      "^worker/renderer/",
      "^server/(domain|ports|packets|db|queue|telemetry)/",
      "^server/(wiring|env)[.]ts$",
    ],
  },
  // Where the worker, and the commands that make a packet without one, are put together.
  "worker-wiring": {
    from: WORKER_WIRING,
    to: [
      "^worker/(?!pdf/)",
      "^server/(domain|ports|packets|db|queue|telemetry|adapters)/",
      "^server/(wiring|env)[.]ts$",
    ],
  },
  renderer: {
    from: "^worker/renderer/",
    to: ["^worker/(renderer|pdf)/", "^server/(packets|domain)/", "^server/ports/clock[.]ts$"],
  },
  pdf: {
    from: "^worker/pdf/",
    to: ["^worker/pdf/", "^worker/renderer/(requests|limits)[.]ts$", "^server/(packets|domain)/"],
  },
  app: {
    from: "^(app/|proxy[.]ts$)",
    to: ["^app/", "^client/", "^server/(api|http|auth|services|domain)/", "^server/(wiring|env)[.]ts$"],
  },
  client: { from: "^client/", to: ["^client/"] },
};

/**
 * Packages that have one home. `from` names every place that may import them.
 * @type {Record<string, { packages: string, from: string }>}
 */
const HOMES = {
  prisma: { packages: "^node_modules/@prisma/", from: "^(server/db/|scripts/)" },
  "pg-boss": { packages: "^node_modules/pg-boss/", from: "^(server/queue/|worker/consume[.]ts$|scripts/)" },
  "react-pdf-renderer": {
    packages: "^node_modules/@react-pdf/",
    from: "^(server/packets/[^/]+/template[.]tsx$|server/packets/stationery/|worker/pdf/|worker/renderer/child[.]ts$)",
  },
  "pdf-parsers": {
    packages: "^node_modules/(pdf-lib|@cantoo/pdf-lib|@hyzyla/pdfium|fontkit|sharp)/",
    // Stationery measures glyphs; the files of the samples are made in code.
    from: "^(worker/pdf/|server/packets/stationery/|server/packets/sample-(files|logo)[.]ts$)",
  },
  next: { packages: "^node_modules/(next|next-auth)/", from: "^(app/|server/auth/|proxy[.]ts$)" },
  react: {
    packages: "^node_modules/(react|react-dom)/",
    from: "^(app/|server/packets/[^/]+/template[.]tsx$|server/packets/stationery/|worker/pdf/|worker/renderer/child[.]ts$)",
  },
  "pages-only": {
    packages: "^node_modules/(@mantine|@tanstack|@trpc/client|mantine-datatable|react-pdf)/",
    from: "^(app|client)/",
  },
};

const OWN = "^(app|server|worker|client|prisma|scripts|bench|faults|e2e)/|^proxy[.]ts$";
/** Tests, and what only they use. */
const TESTS = "[.](test|spec|contract)[.]tsx?$|(^|/)(test|hostile)-[^/]+[.]ts$|/testing/";

/** Its form is checked by dependency-cruiser itself. */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Imports of types vanish in the build, so a ring with one of them among its links is none.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "not-found", severity: "error", from: {}, to: { couldNotResolve: true, path: "^([.]|@/)" } },
    ...Object.entries(ZONES).map(([name, { from, to }]) => ({
      name: `zone-${name}`,
      severity: "error",
      from: { path: from, pathNot: [TESTS, "/generated/"] },
      to: { path: OWN, pathNot: [...to] },
    })),
    ...Object.entries(HOMES).map(([name, { packages, from }]) => ({
      name: `home-${name}`,
      severity: "error",
      from: { path: OWN, pathNot: [from, TESTS, "/generated/"] },
      to: { path: packages, dependencyTypesNot: ["type-only"] },
    })),
    {
      name: "pure-domain",
      comment: "Rules without I/O, framework or clock.",
      severity: "error",
      from: { path: "^server/domain/", pathNot: [TESTS] },
      to: { pathNot: ["^([.]|@/|server/domain/)", "^node_modules/(zod|canonicalize)/", "^(node:)?crypto$"] },
    },
    {
      name: "generated-client",
      comment: "Everyone else gets a Transaction from transact.",
      severity: "error",
      from: { path: OWN, pathNot: ["^server/db/", TESTS] },
      to: { path: "^server/db/generated/" },
    },
    {
      name: "kinds-apart",
      comment: "A kind imports neither the registry nor another kind, so that the list stays a leaf.",
      severity: "error",
      from: { path: "^server/packets/([^/]+)/", pathNot: ["^server/packets/stationery/", TESTS] },
      to: {
        path: "^server/packets/(registry|[^/]+/)",
        pathNot: ["^server/packets/$1/", "^server/packets/stationery/"],
      },
    },
    {
      name: "stages-apart",
      comment: "A stage imports neither the list nor another stage.",
      severity: "error",
      from: { path: "^worker/stages/(?!index[.]ts|stage[.]ts|copy-checked[.]ts)", pathNot: [TESTS] },
      to: { path: "^worker/stages/", pathNot: ["^worker/stages/(stage|copy-checked)[.]ts$"] },
    },
    {
      name: "template-lazily",
      comment: "A kind's template comes with the renderer: it is loaded by the process that draws, when it draws.",
      severity: "error",
      from: { path: OWN, pathNot: [TESTS, "^server/packets/[^/]+/template[.]tsx$"] },
      to: { path: "^server/packets/[^/]+/template[.]tsx$", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "tests-apart",
      comment: "What only tests use is not part of the product.",
      severity: "error",
      from: { path: "^(app|server|worker|client|prisma)/", pathNot: [TESTS] },
      to: { path: TESTS, pathNot: ["^node_modules/"] },
    },
    {
      name: "no-server-only",
      comment: "It throws when plain Node, our worker, loads it; this law does its work.",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^node_modules/server-only/" },
    },
  ],
  options: {
    doNotFollow: { path: "^node_modules/|^server/db/generated/" },
    exclude: { path: "(^|/)([.]build|[.]next|[.]data)/" },
    tsPreCompilationDeps: true,
    parser: "swc",
    combinedDependencies: false,
    enhancedResolveOptions: {
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};
