import { ANONYMOUS, type Caller, type Peer } from "#base";

/** What a request brings to show who makes it. */
export interface Credentials {
  /** Lower-case request headers. A parameter of the address that stands for a header (`access_token`, `key`) is in the header's place. */
  readonly headers: ReadonlyMap<string, string>;
  readonly peer: Peer;
}

/** Finds out who makes a request. Protocols ask it before they read the body of a request. */
export interface Authenticator {
  /**
   * The caller; an anonymous one for a request without a credential, which authorization refuses where a caller is needed. Throws
   * UNAUTHENTICATED for a credential that is not valid.
   */
  authenticate(credentials: Credentials): Promise<Caller>;
}

/** Knows nobody: authentication is off. */
export const OPEN_DOOR: Authenticator = { authenticate: async () => ANONYMOUS };
