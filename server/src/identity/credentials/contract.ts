import type { JWK } from "jose";
import type { CallerKind, JsonValue } from "#base";

/** What this server issues. */
export type CredentialKind = "service-account-key" | "api-key" | "refresh-token" | "session";

/** Who a stored credential makes a caller, beside its principal. */
export interface StoredIdentity {
  readonly kind: CallerKind;
  readonly groups: readonly string[];
  readonly claims: Readonly<Record<string, JsonValue>>;
}

/** What is kept of a credential besides the columns of its row. */
export interface CredentialDetails {
  readonly displayName: string;
  /** The principal who made it; "" for the operator. */
  readonly createdBy: string;
  /** Names of projects or apps that it is good for. Default: everything. */
  readonly within?: readonly string[];
  /** Of key pairs: the public half. */
  readonly publicKey?: JWK;
  /** Of people: what their issuer said when they signed in. */
  readonly identity?: StoredIdentity;
}

/** A credential that this server issued and did not revoke. */
export interface Credential extends CredentialDetails {
  /** Never reused. */
  readonly id: string;
  /** `projects/{p}` whose admins manage it. */
  readonly parent: string;
  readonly kind: CredentialKind;
  readonly principal: string;
  /** SHA-256 of the secret, base64url; "" for key pairs. */
  readonly secretDigest: string;
  /** Milliseconds since the epoch. */
  readonly createTime: number;
  readonly expireTime?: number;
  readonly lastUsedTime?: number;
}
