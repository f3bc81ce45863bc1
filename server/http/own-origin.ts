/**
 * True where a request that changes something was sent by one of our own pages. Browsers state it themselves in `Sec-Fetch-Site`, which
 * no page can set; where it is missing, `Origin` must name the host that was asked. `Origin` alone would not do: under our referrer
 * policy a form sends "null".
 */
export function isFromOwnPage(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return new URL(origin).host === (headers.get("x-forwarded-host") ?? headers.get("host"));
}
