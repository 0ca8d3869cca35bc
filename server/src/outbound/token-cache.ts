import { LRUCache } from "lru-cache";
import { type Clock, steadyClock } from "#base";

/** An access token and its expiry, in milliseconds of the clock. */
export interface Token {
  readonly value: string;
  readonly expiresAt: number;
}

/** Access tokens in memory: fetched once for each key, used until shortly before they expire, never written to disk. */
export interface TokenCache {
  /** The token of a key. Calls `fetch` when there is none; concurrent calls share one fetch. */
  get(key: string, fetch: () => Promise<Token>): Promise<string>;
  /** Removes a token that the server rejected, unless a newer one has replaced it. */
  invalidate(key: string, value: string): void;
}

/** A token is renewed this long before it expires, because it must still be valid when the request arrives. */
const RENEW_BEFORE_MS = 30_000;
const MAX_TOKENS = 1_000;

interface KnownToken {
  readonly value: string;
  /** By the steady clock. */
  readonly renewAt: number;
}

/** Creates an empty cache. */
export function createTokenCache(clock: Clock): TokenCache {
  const steady = steadyClock(clock);
  const tokens = new LRUCache<string, KnownToken>({ max: MAX_TOKENS });
  const pending = new Map<string, Promise<Token>>();
  return {
    get: async (key, fetch) => {
      const known = tokens.get(key);
      if (known && steady.now() < known.renewAt) return known.value;
      return (await (pending.get(key) ?? start(key, fetch))).value;
    },
    invalidate: (key, value) => {
      if (tokens.peek(key)?.value === value) tokens.delete(key);
    },
  };

  function start(key: string, fetch: () => Promise<Token>): Promise<Token> {
    const request = fetch()
      .then((token) => {
        const leftMs = token.expiresAt - clock.now() - RENEW_BEFORE_MS;
        tokens.set(key, { value: token.value, renewAt: steady.now() + leftMs });
        return token;
      })
      .finally(() => pending.delete(key));
    pending.set(key, request);
    return request;
  }
}
