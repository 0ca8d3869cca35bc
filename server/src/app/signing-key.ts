import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LENGTH = 32;

/**
 * A key that signs tokens: a file in the data folder, created at the first start, readable by its owner only. `chat-token` signs chat tokens,
 * `access-token` the tokens of callers. Deleting a file invalidates its tokens from the next start on.
 */
export function signingKey(dataDir: string, name: "chat-token" | "access-token"): Uint8Array {
  const path = join(dataDir, `${name}.key`);
  try {
    writeFileSync(path, randomBytes(LENGTH), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const key = readFileSync(path);
  if (key.length !== LENGTH)
    throw new Error(`${path} has ${key.length} bytes instead of ${LENGTH}. Delete it to get a new key.`);
  return key;
}
