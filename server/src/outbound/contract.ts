import type { App } from "@frontdesk/protos/ces/app";
import type { ApiAuthentication, EndUserAuthConfig } from "@frontdesk/protos/ces/auth";
import type { ServiceDirectoryConfig, TlsConfig } from "@frontdesk/protos/ces/common";
import type { EgressResponse, JsonObject, OriginList } from "#base";

/** On whose behalf a request is made. */
export interface OutboundContext {
  /** App resource name. */
  readonly app: string;
  /** The session's variables: what `$context.variables.NAME` refers to. */
  readonly variables: JsonObject;
  /** The app's own rules: origins it may reach in a perimeter, and its client certificate. Default: none. */
  readonly settings?: AppNetwork | undefined;
  readonly signal: AbortSignal;
}

/** What an app says about its requests (app.proto). */
export type AppNetwork = Pick<App, "vpcScSettings" | "clientCertificateSettings">;

/** How a definition wants its requests to travel: the fields that tools and toolsets of several kinds share. */
export interface OutboundRoute {
  readonly apiAuthentication?: ApiAuthentication | undefined;
  readonly endUserAuth?: EndUserAuthConfig | undefined;
  /** Where a JWT bearer assertion of `endUserAuth` is exchanged for a token. Default: the assertion itself is sent. */
  readonly tokenEndpoint?: string | undefined;
  readonly tlsConfig?: TlsConfig | undefined;
  readonly serviceDirectoryConfig?: ServiceDirectoryConfig | undefined;
  /** Whether the operator's configuration wrote the credentials and where they go, so that no grant is asked for. Default: an app did. */
  readonly byOperator?: boolean;
}

/** A request before anything of its route was added. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** Milliseconds for all of it: tokens, redirects, retries. */
  readonly timeoutMs: number;
  /** Largest answer read, bytes. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Default true; each hop passes the gate again, and credentials stay with the origin they are for. */
  readonly followRedirects?: boolean;
}

/** A request with its credentials. Never log one, and never record one. */
export interface AuthorizedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Lower-case names of headers that hold credentials: they do not follow a redirect to another origin. */
  readonly secretHeaders: readonly string[];
}

/** What end users' credentials of a connector are in this session, resolved. */
export type EndUserCredentials =
  | { readonly kind: "oauth-token"; readonly token: string }
  | { readonly kind: "jwt-bearer"; readonly issuer: string; readonly subject: string; readonly clientKey: string };

/** Requests that tools make: authorized, through the egress gate, held to the app's allow lists. */
export interface Outbound {
  /**
   * Sends a request and reads the whole answer, whatever its status. GET, HEAD and OPTIONS are tried again after
   * a failure of the network or a 429, 502, 503 or 504. Rejects with `OutboundError`, whose message a model may hear.
   */
  fetch(request: OutboundRequest, route: OutboundRoute, context: OutboundContext): Promise<EgressResponse>;
  /**
   * The same in the shape of the web's `fetch`, with bodies as they come: for libraries of a protocol (MCP, A2A). `timeoutMs`
   * bounds the wait for an answer's head; how long its body lasts is the caller's signal's business. Bytes of a body are bounded.
   */
  webFetch(route: OutboundRoute, context: OutboundContext, limits: WebFetchLimits): typeof globalThis.fetch;
  /** A request with the credentials that its route asks for. Rejects with `OutboundError`. */
  authorize(
    request: Pick<OutboundRequest, "url" | "headers">,
    route: OutboundRoute,
    context: OutboundContext,
  ): Promise<AuthorizedRequest>;
  /** The lists that requests of an app's own code are held to: the location's policy. `vpc_sc_settings` says nothing of Python (app.proto). */
  originsOfCode(app: string): Promise<readonly OriginList[]>;
  /** What the session says for an end user's credentials. Throws `OutboundError` that names the missing variable. */
  endUserCredentials(config: EndUserAuthConfig, context: OutboundContext): EndUserCredentials;
  /** An access token of this server's own Google identity (application default credentials). Rejects with `OutboundError`. */
  googleAccessToken(scopes: readonly string[], signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Bounds of one answer of `webFetch`. */
export interface WebFetchLimits {
  readonly timeoutMs: number;
  /** Largest body, bytes. Default 10 MiB. */
  readonly maxBytes?: number;
}

/** Why a request could not be made or got no answer. The message names cause and fix, and holds no secret. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: "refused" | "timeout" | "too-large" | "failed" | "unauthorized";

  constructor(kind: OutboundError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Where the values of secrets come from. */
export interface SecretSources {
  /** Secret name (`projects/p/secrets/s/versions/v`, or any shorter end of it such as `s`) → environment variable holding the value. */
  readonly environment: Readonly<Record<string, string>>;
  /** Reads a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
  /** Secret name, as above → path of a file holding the value. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder that holds `<secret>/<version>` or `<secret>` files. */
  readonly folder?: string;
  /** Asks Google Secret Manager for what no other source has. Default false. */
  readonly secretManager: boolean;
}

/** What apps may use, and where it may go. In every pattern `*` stands for any characters. */
export interface CredentialGrant {
  /** Secrets (full name, name without `/versions/…`, or id), e-mail addresses of service accounts. */
  readonly credentials: readonly string[];
  /** Apps: resource names or ids. */
  readonly apps: readonly string[];
  /** Hosts, `name` for every port or `name:port`: those of the requests, and of token endpoints. */
  readonly hosts: readonly string[];
}

/** What the operator says about outbound requests. */
export interface OutboundConfig {
  readonly secrets: SecretSources;
  /** Which of these apps may use. What none grants is refused. */
  readonly grants: readonly CredentialGrant[];
  /** Service Directory service → where it is reached: `https://host:port` or `host:port`. */
  readonly serviceDirectory: Readonly<Record<string, string>>;
  /** Whether the server stands in a VPC Service Controls perimeter, so that VPCSC_ONLY lists count. Default false. */
  readonly perimeter: boolean;
}
