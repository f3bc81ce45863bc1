import { FAILURES, type FailureCode, PacketFailure } from "@/server/domain/failure";

/**
 * Answers a person whose link or file cannot be served with a small page of plain words and a way on. It is no attachment, so that no
 * browser saves it under the name of the PDF. [CASE-39,CASE-42]
 */
export function problemPage(error: unknown, way: { readonly href: string; readonly words: string }): Response {
  const code: FailureCode = error instanceof PacketFailure ? error.code : "internal";
  const { http, publicMessage } = FAILURES[code];
  const heading = HEADINGS[code] ?? "This file cannot be shown";
  const message = code === "internal" ? "Something went wrong on our side. Try again in a moment." : publicMessage;
  return new Response(page(heading, message.replace(`${heading}. `, ""), way), {
    status: http,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

const HEADINGS: Partial<Record<FailureCode, string>> = {
  link_invalid: "This link does not work",
  link_expired: "This link has expired",
  artifact_disposed: "This document has been removed",
  preview_expired: "This preview is gone",
  not_found: "There is nothing here",
};

/** The words are ours and hold no content; the address is one of ours. */
function page(heading: string, message: string, way: { readonly href: string; readonly words: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Bindery</title>
<style>
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fbfaf7; --accent: #0f5e63; --soft: #5c574e }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #15171a; --accent: #5fb3b3; --soft: #aeaba4 } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif }
main { max-width: 28rem; padding: 2rem 1.5rem }
h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.75rem }
p { margin: 0 0 1.25rem; color: var(--soft) }
a { color: var(--accent); font-weight: 600 }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px }
</style>
</head>
<body><main><h1>${heading}</h1><p>${message}</p><a href="${way.href}">${way.words}</a></main></body>
</html>
`;
}
