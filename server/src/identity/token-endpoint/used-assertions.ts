import type { ShortLivedStore } from "#storage";
import { digestOf } from "../credentials/credentials.ts";
import { OAuthError } from "./oauth-error.ts";

/** Assertions that are remembered, at most. */
const MAX_ENTRIES = 50_000;

/** Refuses an assertion with an id that was used before, at any server of the data (RFC 7523, 3): somebody else may have seen it. */
export function createUsedAssertions(store: ShortLivedStore) {
  return async (signer: string, jti: string, expiresAt: number): Promise<void> => {
    // As long as the assertion would be accepted, the skew of clocks included.
    const used = { kind: "assertion", key: digestOf(`${signer} ${jti}`), body: "", expireTime: expiresAt + 60_000 };
    if (!(await store.add(used, MAX_ENTRIES)))
      throw new OAuthError("invalid_grant", "The assertion was used before. Sign a new one.");
  };
}
