import { ANONYMOUS, type Caller, type Peer } from "#base";

/** The certificate of a client. */
export interface ClientCertificate {
  /** Why TLS did not accept it; "" for one that an authority of the operator vouches for. */
  readonly problem: string;
  readonly commonName: string;
  /** E-mail addresses and URIs among the subject alternative names. */
  readonly emails: readonly string[];
  readonly uris: readonly string[];
  /** SHA-256 of the certificate, hexadecimal. */
  readonly fingerprint: string;
}

/** What a request brings to show who makes it. */
interface Credentials {
  /** Lower-case request headers. A parameter of the address that stands for a header (`access_token`, `key`) is in the header's place. */
  readonly headers: ReadonlyMap<string, string>;
  readonly peer: Peer;
  /** Whether the HTTP method alone says that the request changes nothing. A WebSocket may. */
  readonly isSafe: boolean;
  /** Path of an endpoint whose tokens must be made for it. Default: tokens for this server are enough. */
  readonly endpoint?: string;
  /** Default none. */
  readonly certificate?: ClientCertificate;
}

/** Finds out who makes a request. Protocols ask it before they read the body of a request. */
export interface Authenticator {
  /**
   * The caller; an anonymous one for a request without a credential, which authorization refuses where a caller is needed. Throws
   * UNAUTHENTICATED for a credential that is not valid.
   */
  authenticate(credentials: Credentials): Promise<Caller>;
}

/** Every caller is anonymous: authentication is off. */
export const NO_AUTHENTICATION: Authenticator = { authenticate: async () => ANONYMOUS };
