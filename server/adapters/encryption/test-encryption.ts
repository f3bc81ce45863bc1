import { storageKeys } from "./storage-keys";

/** One storage key for the tests of a whole scene: what one process seals, another opens. */
export const TEST_STORAGE_KEYS = [["k1", "5a".repeat(32)]] as const;

/** Returns the encryption under it. */
export const testEncryption = storageKeys(TEST_STORAGE_KEYS);
