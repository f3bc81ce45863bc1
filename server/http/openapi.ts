import { createDocument } from "zod-openapi";
import { KINDS } from "@/server/packets/registry";
import { PACKET_PATHS } from "./openapi-packets";
import { SOURCE_PATHS } from "./openapi-sources";

/** Returns the HTTP contract as an OpenAPI 3.1 document, made from the schemas that validate. */
export function openApiDocument(baseUrl: string) {
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Bindery",
        version: "1",
        summary: "Submit packets, ask how far they are, and download what was archived.",
        description: INTRODUCTION,
        license: { name: "Proprietary", identifier: "LicenseRef-Bindery" },
      },
      servers: [{ url: baseUrl, description: "This installation" }],
      security: [{ apiKey: [] }],
      tags: [
        { name: "Packets", description: "Submissions and what becomes of them." },
        { name: "Sources", description: "Files that packets are made of." },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description: "An API key, made by an administrator under Settings.",
          },
        },
        schemas: Object.fromEntries(KINDS.map((kind) => [`${pascal(kind.name)}Payload`, kind.payload])),
      },
      paths: { ...PACKET_PATHS, ...SOURCE_PATHS },
    },
    {
      override: ({ jsonSchema }) => {
        // Binary fractions: 71.4 is no whole multiple of 0.1 to a validator, though it has one decimal.
        if (Number(jsonSchema.multipleOf ?? 1) < 1) delete jsonSchema.multipleOf;
        // How our own form shows a field is nobody else's concern.
        Reflect.deleteProperty(jsonSchema, "widget");
      },
    },
  );
}

const INTRODUCTION = `Every packet is made once for each operation you name with an Idempotency-Key: send the same request again whenever you are not sure that it
arrived. Ask for the status until the state is \`succeeded\` or \`failed\`, no more often than \`Retry-After\` says. Errors are problem details with a stable
\`code\`. Times are UTC.`;

function pascal(name: string): string {
  return name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
