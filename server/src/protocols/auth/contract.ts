import type { Caller } from "#base";
import type { Authentication } from "#identity";
import type { Exchange, ResolvedDeps } from "../http/exchange.ts";

/** What of authentication signing in needs. */
export type SignInParts = Pick<
  Authentication,
  "mode" | "sessions" | "signIn" | "links" | "deviceLogins" | "refreshTokens" | "addresses"
>;

/** What somebody did to become known, or to be known no longer. */
export interface SignInEvent {
  readonly action: "SignIn" | "SignOut" | "MakeSignInLink" | "AllowLogin" | "DenyLogin";
  /** Who; absent when a sign-in failed. */
  readonly caller?: Pick<Caller, "principal" | "kind" | "credentialId">;
  readonly address: string;
  readonly requestId: string;
  /** Why a sign-in failed; absent when nothing did. */
  readonly fault?: string;
}

/** Where events go; resolves when the event is durable. */
export type RecordSignIn = (event: SignInEvent) => Promise<void>;

/** What pages of signing in share. */
export interface SignInServer {
  readonly record: RecordSignIn;
  readonly parts: SignInParts;
  readonly deps: ResolvedDeps;
}

/** A page below `/auth/`, by method and path. Resolves when the response is sent. */
export type Page = (exchange: Exchange, url: URL, server: SignInServer) => Promise<void>;

/** Headers of every answer: it is for one person, once. */
export const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };
