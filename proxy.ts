import { type NextRequest, NextResponse } from "next/server";

/**
 * Gives each page a content policy with a nonce of its own, and tells the page its own address, so that signing in can lead back to it.
 * It decides nothing: authorisation is in the services.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("x-bindery-path", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

/** Pages only: what streams bytes in or out never passes through here, so that no body is ever held or cut. */
export const config = {
  matcher: [
    {
      source:
        "/((?!api/|d/|_next/|pdfjs/|healthz|readyz|metrics|favicon|packets/[^/]+/(?:download|view)|packets/preview/).*)",
    },
  ],
};

function contentPolicy(nonce: string): string {
  // The development server evaluates code to show where an error came from; the product never does.
  const development = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic' 'wasm-unsafe-eval'${development}`,
    // Mantine sets sizes and variables in style attributes, for which there are no nonces.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
