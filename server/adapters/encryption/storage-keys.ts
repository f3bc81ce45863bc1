import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { PacketFailure } from "@/server/domain/failure";
import type { Encryption } from "@/server/ports/encryption";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the encryption whose storage keys come from the environment: `id` and 32 bytes in hex, newest first. The first wraps, all
 * open (AES-256-GCM, NIST SP 800-38D; a random nonce per wrapped key).
 */
export function storageKeys(keys: readonly (readonly [id: string, hex: string])[]): Encryption {
  const byId = new Map(keys.map(([id, hex]) => [id, Buffer.from(hex, "hex")]));
  const newest = keys[0]?.[0];
  const storageKey = (id: string | undefined): Buffer => {
    const key = id === undefined ? undefined : byId.get(id);
    if (key?.length !== KEY_BYTES)
      throw new PacketFailure("storage_unavailable", { detail: "a storage key is missing" });
    return key;
  };
  return {
    newDataKey: async (object) => {
      const keyId = newest ?? "";
      const dataKey = randomBytes(KEY_BYTES);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", storageKey(newest), nonce);
      cipher.setAAD(subjectOf(object, keyId));
      const sealed = Buffer.concat([cipher.update(dataKey), cipher.final()]);
      return { keyId, dataKey, wrapped: Buffer.concat([nonce, sealed, cipher.getAuthTag()]) };
    },
    openDataKey: async (object, { keyId, wrapped }) => {
      const decipher = createDecipheriv("aes-256-gcm", storageKey(keyId), wrapped.subarray(0, NONCE_BYTES));
      decipher.setAAD(subjectOf(object, keyId));
      decipher.setAuthTag(wrapped.subarray(wrapped.length - TAG_BYTES));
      const opened = decipher.update(wrapped.subarray(NONCE_BYTES, wrapped.length - TAG_BYTES));
      try {
        decipher.final();
        return opened;
      } catch {
        // What does not authenticate is no key of ours for this object.
        return null;
      }
    },
  };
}

function subjectOf(object: string, keyId: string): Buffer {
  return Buffer.from(JSON.stringify(["bindery data key", keyId, object]));
}
