import type { SecuritySettings } from "@frontdesk/protos/ces/security_settings";
import {
  type Clock,
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
  type EgressStream,
  type Logger,
} from "#base";
import { createGoogleIdentity, type GoogleIdentity, GoogleIdentityError } from "#google";
import { withCredential } from "./authorize.ts";
import { connectionTls, tokenTls } from "./connection-tls.ts";
import {
  type Outbound,
  type OutboundConfig,
  type OutboundContext,
  OutboundError,
  type OutboundRequest,
  type OutboundRoute,
} from "./contract.ts";
import { type Credential, credentialOf, endUserCredentials } from "./credentials.ts";
import type { PostForm } from "./oauth-tokens.ts";
import { originLists } from "./origin-lists.ts";
import { withRetries } from "./retries.ts";
import { secretManagerVersion } from "./secret-manager.ts";
import { createSecrets } from "./secrets.ts";
import { servicePlace } from "./service-place.ts";
import { createTokenCache } from "./token-cache.ts";
import { createWebFetch } from "./web-fetch.ts";
import { streamWithoutCredential, withoutCredential } from "./without-credential.ts";

export interface OutboundDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: OutboundConfig;
  /** The security settings of an app's location. Default: none are set. */
  readonly securitySettings?: (app: string) => Promise<SecuritySettings | undefined>;
  /** Default: the application default credentials. */
  readonly google?: GoogleIdentity;
}

/** Largest answer that is read when nobody says otherwise, bytes. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Largest answer of a token endpoint, bytes. */
const MAX_TOKEN_BYTES = 256 * 1024;
const TOKEN_TIMEOUT_MS = 10_000;

/** Creates the door through which tools reach other servers. */
export function createOutbound(deps: OutboundDeps): Outbound {
  const { egress, clock, config, google = createGoogleIdentity() } = deps;
  const accessVersion = secretManagerVersion(egress, () => google.accessToken());
  const secret = createSecrets({ sources: config.secrets, accessVersion });
  const credentialDeps = {
    secret,
    grants: config.grants,
    google,
    tokens: createTokenCache(clock),
    now: () => clock.now(),
  };

  const outbound: Outbound = {
    fetch: (request, route, context) =>
      told(() =>
        withRetries(request, context.signal, (timeoutMs) =>
          exchange({ ...request, timeoutMs }, route, context, async (prepared, found) =>
            withoutCredential(await egress.fetch(prepared), found),
          ),
        ),
      ),
    webFetch: (route, context, { timeoutMs, maxBytes }) =>
      createWebFetch((request, signal) =>
        told(() =>
          exchange(
            { ...request, timeoutMs, ...(maxBytes !== undefined && { maxBytes }) },
            route,
            { ...context, signal },
            async (prepared, found) => streamWithoutCredential(await egress.open(prepared), found),
          ),
        ),
      ),
    authorize: (request, route, context) =>
      told(async () => withCredential(request, await credential(request.url, route, context))),
    originsOfCode: (app) => listsFor({ app }),
    endUserCredentials: (authConfig, context) => endUserCredentials(authConfig, context),
    googleAccessToken: (scopes) => told(() => google.accessToken(scopes)),
    close: async () => {},
  };
  return outbound;

  /** One exchange; a token that is refused although the cache held it for good is renewed, once. */
  async function exchange<R extends EgressResponse | EgressStream>(
    request: OutboundRequest,
    route: OutboundRoute,
    context: OutboundContext,
    send: (prepared: EgressRequest, found: Credential) => Promise<R>,
  ): Promise<R> {
    const first = await credential(request.url, route, context);
    const answer = await send(await prepare(request, first, route, context), first);
    if (answer.status !== 401 || first.kind !== "bearer" || !first.renew) return answer;
    first.renew();
    const second = await credential(request.url, route, context);
    return send(await prepare(request, second, route, context), second);
  }

  function credential(url: string, route: OutboundRoute, context: OutboundContext): Promise<Credential> {
    return credentialOf(url, route, context, credentialDeps, postFor(route, context));
  }

  async function prepare(
    request: OutboundRequest,
    found: Credential,
    route: OutboundRoute,
    context: OutboundContext,
  ): Promise<EgressRequest> {
    const { url, headers, secretHeaders } = withCredential(request, found);
    const tls = await connectionTls(route, context, secret, config.grants);
    const place = servicePlace(route, config.serviceDirectory);
    return {
      method: request.method,
      url,
      headers,
      secretHeaders,
      ...(request.body !== undefined && { body: request.body }),
      timeoutMs: request.timeoutMs,
      maxBytes: request.maxBytes ?? MAX_BYTES,
      followRedirects: request.followRedirects ?? true,
      allowedOrigins: await listsFor(context),
      ...(tls && { tls }),
      ...(place && { connectTo: place }),
      signal: context.signal,
    };
  }

  async function listsFor({ app, settings }: Pick<OutboundContext, "app" | "settings">) {
    return originLists(await deps.securitySettings?.(app), settings, config.perimeter);
  }

  /** Token endpoints are written in apps, so they pass the gate and the lists like everything else. */
  function postFor(route: OutboundRoute, context: OutboundContext): PostForm {
    return async (url, form, headers) => {
      const tls = tokenTls(await connectionTls(route, context, secret, config.grants));
      const { status, body } = await egress.fetch({
        method: "POST",
        url,
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded", ...headers },
        body: form.toString(),
        timeoutMs: TOKEN_TIMEOUT_MS,
        maxBytes: MAX_TOKEN_BYTES,
        followRedirects: false,
        allowedOrigins: await listsFor(context),
        ...(tls && { tls }),
      });
      return { status, text: new TextDecoder().decode(body) };
    };
  }
}

/** The errors of the gate and of this server's identity in this room's words. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EgressError) throw new OutboundError(error.kind, `${error.message}.`, error);
    if (error instanceof GoogleIdentityError) throw new OutboundError("unauthorized", error.message, error);
    throw error;
  }
}
