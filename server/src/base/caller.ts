import type { JsonValue } from "./json.ts";

/** By what kind of credential a caller is known. */
export type CallerKind =
  /** No credential, or authentication is off. */
  | "anonymous"
  /** A person who signed in at an issuer. */
  | "user"
  /** A program with a key that this server issued. */
  | "serviceAccount"
  /** A workload that an issuer vouches for. */
  | "workload"
  /** A program with an API key: it has no name of its own. */
  | "apiKey"
  /** An end user of a chat widget, in one session. */
  | "chatToken"
  /** The operator at this machine, or this process itself. */
  | "operator";

/**
 * Who makes a call. The same object for every call with the same credential for as long as the credential is valid, so what is derived from
 * it can be kept in a `WeakMap`; it has nothing of a single call (see `Peer`). In this room, because every room above may record who acted.
 */
export interface Caller {
  readonly kind: CallerKind;
  /**
   * As members of policies are written: `user:ann@example.com`, `serviceAccount:ci@main.frontdesk.local`, `principal://…` for workloads,
   * `apiKey:{id}`, `chatToken:{session}`. "" for anonymous callers and the operator.
   */
  readonly principal: string;
  /** Id of the key, or of the issuer that vouched: for logs and lists, never a secret. "" for none. */
  readonly credentialId: string;
  /** What the issuer says of the caller; empty for credentials without claims. */
  readonly claims: Readonly<Record<string, JsonValue>>;
  /** `group:staff@example.com` and `principalSet://…`, as members of policies are written. */
  readonly groups: readonly string[];
  /** OAuth scopes of the token. Undefined: the credential is not limited to scopes. */
  readonly scopes?: readonly string[];
  /** Audiences of the token. Undefined: the credential has none. */
  readonly audience?: readonly string[];
  /** Names of projects or apps: the credential is good for these and what is below them. Undefined: for everything. */
  readonly within?: readonly string[];
  /** Milliseconds since the epoch; undefined: never. */
  readonly expiresAt?: number;
}

/** Where a call comes from. */
export interface Peer {
  /** IP address of the client, behind trusted proxies too; "" for calls within the process. */
  readonly address: string;
}

/** Who made a change, as resources name it (IAM-15): the e-mail address where the caller has one; "" for unknown callers. */
export function authorOf({ principal }: Caller): string {
  return principal.replace(/^(?:user|serviceAccount):/, "");
}

/** A caller without a credential. */
export const ANONYMOUS: Caller = Object.freeze({
  kind: "anonymous",
  principal: "",
  credentialId: "",
  claims: {},
  groups: [],
});

/** This process itself, and whoever can read its data folder: nothing is refused. */
export const OPERATOR: Caller = Object.freeze({ ...ANONYMOUS, kind: "operator" });

/** The peer of calls within the process. */
export const IN_PROCESS: Peer = Object.freeze({ address: "" });
