import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { digestOf } from "../credentials/credentials.ts";
import type { SignedIn } from "../sessions/sessions.ts";

/** Milliseconds that a link can be opened. */
const TIME_MS = 3_600_000;

/** Links that are open at a time, at most. */
const MAX_LINKS = 1_000;

/** Links that sign in who opens them, once (AUTH-21). They are kept in memory, and end with the server. */
export interface OneTimeLinks {
  /** The token of a new link for a person; "" for the operator. */
  make(principal: string): string;
  /** Who is signed in by a token; undefined when it was used, is too old or unknown. It cannot be used again. */
  use(token: string): SignedIn | undefined;
}

export function createOneTimeLinks(now: () => number): OneTimeLinks {
  const links = new LRUCache<string, { readonly principal: string; readonly until: number }>({ max: MAX_LINKS });
  return {
    make(principal) {
      const token = randomBytes(32).toString("base64url");
      links.set(digestOf(token), { principal, until: now() + TIME_MS });
      return token;
    },
    use(token) {
      const digest = digestOf(token);
      const link = links.get(digest);
      links.delete(digest);
      if (!link || link.until <= now()) return undefined;
      const { principal } = link;
      return { principal, kind: principal === "" ? "operator" : "user", groups: [], claims: {}, by: "link" };
    },
  };
}
