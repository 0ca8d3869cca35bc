import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSealed, SealError, type Sealer } from "#base";
import { ConfigError } from "./config-values.ts";

const LENGTH = 32;

/**
 * A key that signs tokens: a sealed file in the data folder, created at the first start. `chat-token` signs chat tokens, `access-token` the
 * tokens of callers. Deleting a file invalidates its tokens from the next start on. A file that is not sealed, or with an old key, is sealed anew.
 */
export function signingKey(dataDir: string, name: "chat-token" | "access-token", sealer: Sealer): Uint8Array {
  const path = join(dataDir, `${name}.key`);
  try {
    writeFileSync(path, sealer.seal(randomBytes(LENGTH), name), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const stored = readFileSync(path);
  const key = isSealed(stored) ? unsealed(path, stored, name, sealer) : stored;
  if (key.length !== LENGTH)
    throw new ConfigError(`${path} has ${key.length} bytes instead of ${LENGTH}. Delete it to get a new key.`);
  if (!sealer.isCurrent(stored)) {
    writeFileSync(`${path}.new`, sealer.seal(key, name), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return key;
}

function unsealed(path: string, stored: Uint8Array, name: string, sealer: Sealer): Uint8Array {
  try {
    return sealer.open(stored, name);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new ConfigError(`${path}: ${error.message} Or delete the file: its tokens are then no longer valid.`);
  }
}
