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
  /** The app's network settings: origins it may reach in a perimeter, and its client certificate. Default: none. */
  readonly settings?: AppNetwork | undefined;
  readonly signal: AbortSignal;
}

/** Network settings of an app (app.proto). */
export type AppNetwork = Pick<App, "vpcScSettings" | "clientCertificateSettings">;

/** How requests of a tool or toolset are authenticated and routed: the fields that several kinds share. */
export interface OutboundRoute {
  readonly apiAuthentication?: ApiAuthentication | undefined;
  readonly endUserAuth?: EndUserAuthConfig | undefined;
  /** Token endpoint for the JWT bearer assertion of `endUserAuth`. Default: the assertion itself is sent as the bearer token. */
  readonly tokenEndpoint?: string | undefined;
  readonly tlsConfig?: TlsConfig | undefined;
  readonly serviceDirectoryConfig?: ServiceDirectoryConfig | undefined;
  /** Whether the operator's configuration defines credentials and destination, so that no grant is needed. Default false: an app does. */
  readonly byOperator?: boolean;
}

/** A request before its route is applied. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** Milliseconds for everything: token requests, redirects, retries. */
  readonly timeoutMs: number;
  /** Limit of the response body, bytes. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Default true. Each redirect passes the gate again, and credentials are not sent to another origin. */
  readonly followRedirects?: boolean;
}

/** A request with its credential. Do not log or store it. */
export interface AuthorizedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Lower-case names of headers that hold credentials: they are dropped on a redirect to another origin. */
  readonly secretHeaders: readonly string[];
}

/** An end user's credentials for a connector, resolved from the session's variables. */
export type EndUserCredentials =
  | { readonly kind: "oauth-token"; readonly token: string }
  | { readonly kind: "jwt-bearer"; readonly issuer: string; readonly subject: string; readonly clientKey: string };

/** Client for requests of tools: authenticated, through the egress gate, limited to the app's allow lists. */
export interface Outbound {
  /**
   * Sends a request and reads the whole response, whatever its status. GET, HEAD and OPTIONS are retried after a network failure
   * or status 429, 502, 503 or 504. Rejects with `OutboundError`, whose message may be shown to a model.
   */
  fetch(request: OutboundRequest, route: OutboundRoute, context: OutboundContext): Promise<EgressResponse>;
  /**
   * The same as a web `fetch` with streamed bodies, for protocol libraries (MCP, A2A). `timeoutMs` limits the wait for the response
   * headers; the caller's signal limits the body in time and `maxBytes` in size. Does not retry.
   */
  webFetch(route: OutboundRoute, context: OutboundContext, limits: WebFetchLimits): typeof globalThis.fetch;
  /** Adds the credential of a route to a request without sending it. Rejects with `OutboundError`. */
  authorize(
    request: Pick<OutboundRequest, "url" | "headers">,
    route: OutboundRoute,
    context: OutboundContext,
  ): Promise<AuthorizedRequest>;
  /**
   * A sentence for the trace when a request to this URL goes out without the Google token that its route asks for, because the operator
   * says so; undefined for every other request.
   */
  missingGoogleToken(url: string, route: OutboundRoute): string | undefined;
  /** The allow lists for requests of an app's Python code: the location's policy. `vpc_sc_settings` does not cover Python (app.proto). */
  originsOfCode(app: string): Promise<readonly OriginList[]>;
  /** Reads an end user's credentials from the session's variables. Throws `OutboundError`, which names the missing variable. */
  endUserCredentials(config: EndUserAuthConfig, context: OutboundContext): EndUserCredentials;
  /** An access token of this server's own Google identity (application default credentials). Rejects with `OutboundError`. */
  googleAccessToken(scopes: readonly string[], signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Limits of one `webFetch` response. */
interface WebFetchLimits {
  readonly timeoutMs: number;
  /** Limit of the body, bytes. Default 10 MiB. */
  readonly maxBytes?: number;
}

/** Why a request was not sent or got no response. The message names cause and fix, and never holds a secret. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: "refused" | "timeout" | "too-large" | "failed" | "unauthorized";

  constructor(kind: OutboundError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Sources of secret values. */
export interface SecretSources {
  /** Secret name (`projects/p/secrets/s/versions/v`, without the version, or the id `s`) → environment variable with the value. */
  readonly environment: Readonly<Record<string, string>>;
  /** Reads a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
  /** Secret name, as above → path of a file with the value. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder that holds `<secret>/<version>` or `<secret>` files. */
  readonly folder?: string;
  /** Whether Google Secret Manager is called for secrets that no other source has. Default false. */
  readonly secretManager: boolean;
}

/** Lets apps send credentials to hosts. In every pattern `*` matches any characters. */
export interface CredentialGrant {
  /** Secrets (full name, name without `/versions/…`, or id), e-mail addresses of service accounts. */
  readonly credentials: readonly string[];
  /** Apps: resource names or ids. */
  readonly apps: readonly string[];
  /** Hosts of requests and of token endpoints: `name` for every port, or `name:port`. */
  readonly hosts: readonly string[];
}

/** The operator's configuration of outbound requests. */
export interface OutboundConfig {
  readonly secrets: SecretSources;
  /** Which apps may use which credentials where. Everything else is refused. */
  readonly grants: readonly CredentialGrant[];
  /** Service Directory service → its address: `https://host:port` or `host:port`. */
  readonly serviceDirectory: Readonly<Record<string, string>>;
  /** Hosts (`name` or `name:port`, `*` for any characters) to which requests go without the Google token that a tool asks for. For local work. */
  readonly withoutGoogleToken: readonly string[];
  /** Whether the server runs in a VPC Service Controls perimeter, so that VPCSC_ONLY lists apply. Default false. */
  readonly perimeter: boolean;
}
