/** Another system that vouches for callers: an OpenID provider, a CI system, a cluster. */
export interface Issuer {
  /** As principals and lists name it, e.g. `okta`. */
  readonly name: string;
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  /** The claim `aud` of its tokens must have one of these, or an address of this server. */
  readonly audiences: readonly string[];
  /** Address of its keys. Default: what its discovery document says (OpenID Connect Discovery 1.0, RFC 8414). */
  readonly jwksUri?: string;
  /** Whether its tokens are of people or of programs. */
  readonly kind: "user" | "workload";
  /** Project in the principals of its programs. */
  readonly project: string;
  /** Claim with the names of the caller's groups. Default none. */
  readonly groupsClaim?: string;
  /** Domains of the e-mail addresses that it may vouch for. Default: all. */
  readonly domains?: readonly string[];
  /** Whether e-mail addresses count of which its tokens do not say that they are verified. Default false (AUTH-29). */
  readonly assignsEmails?: boolean;
  /** Claims of its programs that become `principalSet://…/attribute.{claim}/{value}`. Default none. */
  readonly attributes?: readonly string[];
}
