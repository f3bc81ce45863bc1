/** Marks of the demonstration's tenants, as drawings of a few shapes. `%s` stands for the tenant's colour. */
const MARKS = {
  school:
    '<path d="M128 34 226 84 128 134 30 84Z" fill="%s"/><path d="M66 118v58c0 20 124 20 124 0v-58l-62 32Z" fill="%s" opacity=".72"/>',
  harbour:
    '<circle cx="128" cy="60" r="24" fill="none" stroke="%s" stroke-width="18"/><path d="M128 84v132M84 118h88M44 150c6 44 44 66 84 66s78-22 84-66" fill="none" stroke="%s" stroke-width="18" stroke-linecap="round"/>',
  freight:
    '<path d="M36 88 128 44l92 44v86l-92 44-92-44Z" fill="none" stroke="%s" stroke-width="18" stroke-linejoin="round"/><path d="m36 88 92 44 92-44M128 132v86M82 66l92 44" fill="none" stroke="%s" stroke-width="18" stroke-linejoin="round"/>',
} as const;

export type Mark = keyof typeof MARKS;

/** Returns a synthetic logo as PNG bytes, in the tenant's colour on a transparent ground. The same call gives the same bytes. */
export async function sampleLogo(mark: Mark, colour: string): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  const shapes = MARKS[mark].replaceAll("%s", colour);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">${shapes}</svg>`;
  return new Uint8Array(await sharp(Buffer.from(drawing)).png().toBuffer());
}
