import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Caller } from "#base";

/** Credentials that were verified, at most. */
const MAX_ENTRIES = 20_000;

/** How long a credential of another system counts without a look at the system's keys, milliseconds. */
const MAX_AGE_MS = 300_000;

/** The callers of credentials that were verified lately. */
interface VerifiedCallers {
  /** The caller of a credential; verifies it once, however many requests show it meanwhile. */
  get(kind: string, text: string, verify: () => Promise<Caller>): Promise<Caller>;
}

interface Entry {
  readonly caller: Caller;
  readonly until: number;
  readonly generation: number;
}

interface VerifiedCallersDeps {
  readonly now: () => number;
  /** What was verified is valid while this number stays. */
  readonly generation: () => number;
}

/** Remembers who was verified, by the digest of the credential, until it expires or any credential is revoked. */
export function createVerifiedCallers({ now, generation }: VerifiedCallersDeps): VerifiedCallers {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  const pending = new Map<string, Promise<Caller>>();

  async function verified(key: string, verify: () => Promise<Caller>): Promise<Caller> {
    const before = generation();
    const caller = await verify();
    const until = Math.min(caller.expiresAt ?? Number.POSITIVE_INFINITY, now() + MAX_AGE_MS);
    entries.set(key, { caller, until, generation: before });
    return caller;
  }

  return {
    async get(kind, text, verify) {
      const key = `${kind} ${hash("sha256", text, "base64url")}`;
      const entry = entries.get(key);
      if (entry && entry.generation === generation() && entry.until > now()) return entry.caller;
      const running = pending.get(key);
      if (running) return running;
      const work = verified(key, verify).finally(() => pending.delete(key));
      pending.set(key, work);
      return work;
    },
  };
}
