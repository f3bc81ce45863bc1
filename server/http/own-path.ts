/** Returns `path` where it leads to a page of ours, else "/". Anything that a browser could read as another site is refused. */
export function ownPath(path: unknown): string {
  if (typeof path !== "string" || !path.startsWith("/")) return "/";
  // A second slash or a backslash begins a host; control characters are dropped by browsers and could hide one.
  if (/^\/[/\\]/.test(path) || /[\p{Cc}\\]/u.test(path)) return "/";
  return path.startsWith("/sign-in") || path.startsWith("/api/") ? "/" : path;
}

/** Returns the address of the sign-in page that leads back to `path`. */
export function signInPath(path: string): string {
  const back = ownPath(path);
  return back === "/" ? "/sign-in" : `/sign-in?to=${encodeURIComponent(back)}`;
}
