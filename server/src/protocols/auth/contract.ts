import type { Authentication } from "#identity";
import type { Exchange, ResolvedDeps } from "../http/exchange.ts";

/** What of authentication signing in needs. */
export type SignInParts = Pick<
  Authentication,
  "mode" | "sessions" | "signIn" | "links" | "deviceLogins" | "refreshTokens" | "addresses"
>;

/** What pages of signing in share. */
export interface SignInServer {
  readonly parts: SignInParts;
  readonly deps: ResolvedDeps;
}

/** A page below `/auth/`, by method and path. Resolves when the response is sent. */
export type Page = (exchange: Exchange, url: URL, server: SignInServer) => Promise<void>;

/** Headers of every answer: it is for one person, once. */
export const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };
