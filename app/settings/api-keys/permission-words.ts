/** What a key may be used for, in the words of whoever makes one. */
export const PERMISSION_WORDS = {
  "packets:write": { label: "Submit and cancel packets", short: "submit" },
  "packets:read": { label: "Ask how far packets are", short: "read" },
  "sources:write": { label: "Upload files", short: "upload" },
  "links:issue": { label: "Download finished packets", short: "download" },
} as const;

export type KeyPermission = keyof typeof PERMISSION_WORDS;

export const KEY_PERMISSIONS = Object.keys(PERMISSION_WORDS) as KeyPermission[];

/** Returns a stored permission in a word; one we do not know stands for itself. */
export function shortPermission(permission: string): string {
  return permission in PERMISSION_WORDS ? PERMISSION_WORDS[permission as KeyPermission].short : permission;
}
