import { create } from "content-disposition";

const LENGTH_MAX = 120;

/**
 * Returns the Content-Disposition of a PDF named after what it is about: an ASCII name for old clients and the real one after RFC 8187.
 * Whatever the title holds, the header is one line and the name has no folder, no device name and a length that every disk takes. [CASE-39]
 */
export function dispositionOf(type: "attachment" | "inline", title: string): string {
  const name = fileName(title);
  return create(`${name}.pdf`, { type, fallback: `${asciiName(name)}.pdf` });
}

/** Returns the title as a file's name without its extension. */
export function fileName(title: string): string {
  const plain = title
    .normalize("NFC")
    .toWellFormed()
    .replace(/\.pdf$/i, "")
    // Controls and format marks could turn a name around or end the header; the rest is refused by one system or another.
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .replace(/[/\\:*?"<>|]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
  const short = [...plain]
    .slice(0, LENGTH_MAX)
    .join("")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  return short === "" ? "Packet" : short;
}

function asciiName(name: string): string {
  const ascii = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[\u2018\u2019\u201c\u201d]/g, "'")
    .replace(/[^\x20-\x7e]+/g, "_")
    .replaceAll("%", "_")
    .trim();
  return /[A-Za-z0-9]/.test(ascii) ? ascii : "packet";
}
