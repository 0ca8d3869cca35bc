import { LRUCache } from "lru-cache";
import { OAuthError } from "./oauth-error.ts";

/** Assertions that are remembered, at most. */
const MAX_ENTRIES = 50_000;

/** Refuses an assertion with an id that was used before (RFC 7523, 3): somebody else may have seen it. */
export function createUsedAssertions(now: () => number) {
  const used = new LRUCache<string, number>({ max: MAX_ENTRIES });
  return (signer: string, jti: string, expiresAt: number): void => {
    const key = `${signer} ${jti}`;
    if ((used.get(key) ?? 0) > now())
      throw new OAuthError("invalid_grant", "The assertion was used before. Sign a new one.");
    // As long as the assertion would be accepted, the skew of clocks included.
    used.set(key, expiresAt + 60_000);
  };
}
