import type { Clock } from "#base";

/** An access token and when it stops being one, in milliseconds of the clock. */
export interface Token {
  readonly value: string;
  readonly expiresAt: number;
}

/** Tokens by what they are for: fetched once, used until shortly before they expire, never written anywhere. */
export interface TokenCache {
  /** The token of a key; `fetch` is asked when there is none, once for all who ask meanwhile. */
  get(key: string, fetch: () => Promise<Token>): Promise<string>;
  /** Forgets a token that the other side refused. One that has been fetched since stays. */
  drop(key: string, value: string): void;
}

/** A token is renewed this long before it expires: it has to live until the request arrives. */
const EARLY_MS = 30_000;
/** Tokens that are kept; the longest unused goes first. */
const MOST_KEPT = 1_000;

/** Creates an empty cache. */
export function createTokenCache(clock: Clock): TokenCache {
  const tokens = new Map<string, Token>();
  const flights = new Map<string, Promise<Token>>();
  return {
    get: async (key, fetch) => {
      const known = tokens.get(key);
      if (known && known.expiresAt - EARLY_MS > clock.now()) return known.value;
      const flight = flights.get(key) ?? start(key, fetch);
      return (await flight).value;
    },
    drop: (key, value) => {
      if (tokens.get(key)?.value === value) tokens.delete(key);
    },
  };

  function start(key: string, fetch: () => Promise<Token>): Promise<Token> {
    const flight = fetch()
      .then((token) => {
        tokens.delete(key);
        tokens.set(key, token);
        const [oldest] = tokens.keys();
        if (tokens.size > MOST_KEPT && oldest !== undefined) tokens.delete(oldest);
        return token;
      })
      .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }
}
