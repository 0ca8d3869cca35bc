import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Bytes of a sealing key. */
export const SEALING_KEY_LENGTH = 32;

const MAGIC = Buffer.from("fds1");
const KEY_ID_LENGTH = 8;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const HEADER_LENGTH = MAGIC.length + KEY_ID_LENGTH + NONCE_LENGTH;

/** Encrypts secrets that must come back, for where they are stored: AES-256-GCM, with the id of the key in front. */
export interface Sealer {
  /** `purpose` is bound to the result: it opens for the same purpose only. */
  seal(plain: Uint8Array, purpose: string): Uint8Array;
  /** Throws `SealError` for bytes that were changed, are for another purpose, or were sealed with a key that is not here. */
  open(sealed: Uint8Array, purpose: string): Uint8Array;
  /** Whether the bytes are sealed with the newest key, so that they need not be sealed again. */
  isCurrent(sealed: Uint8Array): boolean;
}

/** Sealed bytes that cannot be opened; the message says why and what to do. */
export class SealError extends Error {
  override readonly name = "SealError";
}

/** Whether bytes begin as sealed ones do. */
export function isSealed(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_LENGTH + TAG_LENGTH && MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** The first key seals, all of them open: to change the key, put the new one first and keep the old one. */
export function createSealer(keys: readonly [Uint8Array, ...Uint8Array[]]): Sealer {
  for (const key of keys)
    if (key.length !== SEALING_KEY_LENGTH)
      throw new SealError(`A sealing key has ${key.length} bytes instead of ${SEALING_KEY_LENGTH}.`);
  const byId = new Map(keys.map((key) => [idOf(key).toString("hex"), key]));
  const current = idOf(keys[0]);
  const keyIdOf = (sealed: Uint8Array) => Buffer.from(sealed.subarray(MAGIC.length, MAGIC.length + KEY_ID_LENGTH));
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv("aes-256-gcm", keys[0], nonce).setAAD(Buffer.from(purpose));
      const parts = [cipher.update(plain), cipher.final()];
      return Buffer.concat([MAGIC, current, nonce, ...parts, cipher.getAuthTag()]);
    },
    open(sealed, purpose) {
      if (!isSealed(sealed)) throw new SealError("What was stored is not sealed.");
      const keyId = keyIdOf(sealed).toString("hex");
      const key = byId.get(keyId);
      if (!key)
        throw new SealError(
          `What was stored is sealed with the key ${keyId}, which is not here: add it to the old keys.`,
        );
      const nonce = sealed.subarray(MAGIC.length + KEY_ID_LENGTH, HEADER_LENGTH);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
      decipher.setAuthTag(sealed.subarray(-TAG_LENGTH));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEADER_LENGTH, -TAG_LENGTH)), decipher.final()]);
      } catch (cause) {
        throw new SealError("What was stored was changed, or is sealed for another purpose.", { cause });
      }
    },
    isCurrent: (sealed) => isSealed(sealed) && keyIdOf(sealed).equals(current),
  };
}

/** Bytes sealed with the newest key instead of an older one; undefined where they are sealed with it. Throws `SealError`. */
export function resealed(sealed: Uint8Array, purpose: string, sealer: Sealer): Uint8Array | undefined {
  return sealer.isCurrent(sealed) ? undefined : sealer.seal(sealer.open(sealed, purpose), purpose);
}

/** The id says nothing of the key. */
function idOf(key: Uint8Array): Buffer {
  return createHash("sha256").update("frontdesk sealing key\0").update(key).digest().subarray(0, KEY_ID_LENGTH);
}
