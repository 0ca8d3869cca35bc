import { randomBytes } from "node:crypto";
import { isSealed, SealError, type Sealer } from "#base";
import type { KeyStore } from "#storage";
import { ConfigError } from "../config/config-values.ts";

const LENGTH = 32;

/**
 * A key that signs tokens, stored sealed, created at the first start. `chat-token` signs chat tokens, `access-token` the tokens of callers. Deleting a
 * key invalidates its tokens from the next start on. A key that is not sealed, or with an old key, is sealed anew.
 */
export async function signingKey(
  keys: KeyStore,
  name: "chat-token" | "access-token",
  sealer: Sealer,
): Promise<Uint8Array> {
  const stored = await keys.getOrMake(name, () => sealer.seal(randomBytes(LENGTH), name));
  const key = isSealed(stored) ? unsealed(stored, name, sealer) : stored;
  if (key.length !== LENGTH)
    throw new ConfigError(
      `The key '${name}' has ${key.length} bytes instead of ${LENGTH}. Delete it to get a new one.`,
    );
  if (!sealer.isCurrent(stored)) await keys.replace(name, sealer.seal(key, name));
  return key;
}

function unsealed(stored: Uint8Array, name: string, sealer: Sealer): Uint8Array {
  try {
    return sealer.open(stored, name);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new ConfigError(
      `The key '${name}': ${error.message} Servers of one database need the same keys (FRONTDESK_SEALING_KEY). Or delete the file '${name}.key' of the data folder, or the row of 'server_keys' in the database: its tokens are then no longer valid.`,
    );
  }
}
