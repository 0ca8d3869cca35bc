import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LENGTH = 32;

/**
 * The key that signs chat tokens: `chat-token.key` in the data folder, created at the first start, readable by its owner only.
 * Deleting the file invalidates all tokens from the next start on.
 */
export function chatTokenKey(dataDir: string): Uint8Array {
  const path = join(dataDir, "chat-token.key");
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
