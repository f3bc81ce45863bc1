const WORDS: Readonly<
  Record<string, { readonly short: string; readonly long: string; readonly tone: "caution" | "gray" }>
> = {
  active_content_removed: {
    short: "Scripts removed",
    long: "Scripts, buttons or media in this file are left out of the packet. The pages look the same.",
    tone: "caution",
  },
  attachments_removed: {
    short: "Attachments removed",
    long: "Files attached inside this file are left out of the packet.",
    tone: "caution",
  },
  signature_flattened: {
    short: "Signature becomes a picture",
    long: "The digital signature cannot survive being bound: it stays visible but proves nothing here. Keep the original.",
    tone: "caution",
  },
  form_flattened: {
    short: "Form filled in for good",
    long: "Form fields become plain text on the page and cannot be edited any more.",
    tone: "gray",
  },
  decrypted: {
    short: "Protection lifted",
    long: "This file opened without a password but forbade changes. Its copy in the packet is not protected.",
    tone: "caution",
  },
  hidden_annotations_removed: {
    short: "Hidden notes removed",
    long: "Notes that are not shown in this file are left out of the packet.",
    tone: "caution",
  },
  repaired: {
    short: "Repaired",
    long: "This file was damaged. Its pages were recovered; look at them once.",
    tone: "caution",
  },
  image_only: {
    short: "Scan",
    long: "These pages are pictures: their text cannot be searched or read aloud.",
    tone: "gray",
  },
  untagged: {
    short: "Not tagged",
    long: "This file has no structure for screen readers.",
    tone: "gray",
  },
  colour_converted: {
    short: "Colours converted",
    long: "Colours of this picture were converted to ones that every device shows alike.",
    tone: "gray",
  },
};

/** Returns what a disclosure means: a few words, a sentence, and whether it needs a look. */
export function disclosureWords(code: string) {
  return WORDS[code] ?? { short: code.replaceAll("_", " "), long: "", tone: "gray" as const };
}
