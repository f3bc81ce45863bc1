/** A data key as it is kept beside what it seals: of no use without the storage key that `keyId` names. */
export interface WrappedKey {
  /** 1 to 16 lower-case letters and digits. */
  readonly keyId: string;
  /** 60 bytes: nonce, the data key under the storage key, tag. */
  readonly wrapped: Uint8Array;
}

/**
 * Who keeps the storage keys. Each object is sealed with a data key of its own, and only that key is sealed with a storage key: forgetting
 * one data key erases one object, and a storage key can be changed without touching the bytes. `object` names what the key is for; a
 * wrapped key moved to another object does not open.
 */
export interface Encryption {
  /** Makes a fresh data key of 32 bytes, wrapped under the newest storage key. */
  newDataKey(object: string): Promise<WrappedKey & { readonly dataKey: Uint8Array }>;
  /**
   * Opens a data key. Null where it was altered or belongs to another object. Throws `storage_unavailable` where the storage key is not
   * at hand: that says nothing about the bytes.
   */
  openDataKey(object: string, key: WrappedKey): Promise<Uint8Array | null>;
}
