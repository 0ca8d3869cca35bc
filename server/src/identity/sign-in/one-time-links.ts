import { randomBytes } from "node:crypto";
import type { ShortLivedStore } from "#storage";
import { digestOf } from "../credentials/credentials.ts";
import type { SignedIn } from "../sessions/sessions.ts";

/** Milliseconds that a link can be opened. */
const TIME_MS = 3_600_000;

/** Links that are open at a time, at most. */
const MAX_LINKS = 1_000;

const KIND = "link";

/** Links that sign in who opens them, once, at any server of the data (AUTH-21). */
export interface OneTimeLinks {
  /** The token of a new link for a person; "" for the operator. */
  make(principal: string): Promise<string>;
  /** Who is signed in by a token; undefined when it was used, is too old or unknown. It cannot be used again. */
  use(token: string): Promise<SignedIn | undefined>;
}

/** Links are in the store by the digest of their token. */
export function createOneTimeLinks(store: ShortLivedStore, now: () => number): OneTimeLinks {
  return {
    async make(principal) {
      const token = randomBytes(32).toString("base64url");
      const value = { kind: KIND, key: digestOf(token), body: principal, expireTime: now() + TIME_MS };
      await store.add(value, MAX_LINKS);
      return token;
    },
    async use(token) {
      const principal = await store.take(KIND, digestOf(token));
      if (principal === undefined) return undefined;
      return { principal, kind: principal === "" ? "operator" : "user", groups: [], claims: {}, by: "link" };
    },
  };
}
