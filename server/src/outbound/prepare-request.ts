import type { SecuritySettings } from "@frontdesk/protos/ces/security_settings";
import { type Clock, definedFields, type Egress, type EgressRequest, type OriginList } from "#base";
import type { GoogleIdentity } from "#google";
import { applyCredential } from "./apply-credential.ts";
import { connectionTls, serviceDirectoryAddress, tokenEndpointTls } from "./connection.ts";
import type { OutboundConfig, OutboundContext, OutboundRequest, OutboundRoute } from "./contract.ts";
import { type Credential, credentialFor } from "./credentials.ts";
import type { PostForm } from "./oauth-tokens.ts";
import { originLists } from "./origin-lists.ts";
import { createSecretReader } from "./secrets.ts";
import { createTokenCache } from "./token-cache.ts";

/** What a request gets from its route before it goes to the egress gate. */
export interface RequestPreparation {
  /** The credential of a route. Rejects with `OutboundError`. */
  credential(url: string, route: OutboundRoute, context: OutboundContext): Promise<Credential>;
  /** The request with credential, TLS settings, address and allow lists. */
  prepare(
    request: OutboundRequest,
    credential: Credential,
    route: OutboundRoute,
    context: OutboundContext,
  ): Promise<EgressRequest>;
  /** The allow lists of an app's requests. */
  allowedOrigins(context: Pick<OutboundContext, "app" | "settings">): Promise<readonly OriginList[]>;
}

interface PreparationDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly config: OutboundConfig;
  readonly securitySettings?: (app: string) => Promise<SecuritySettings | undefined>;
  readonly google: GoogleIdentity;
}

/** Default limit of a response body, bytes. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Limit of a token endpoint's response body, bytes. */
const MAX_TOKEN_BYTES = 256 * 1024;
const TOKEN_TIMEOUT_MS = 10_000;

/** Creates the preparation, with one token cache for all apps. */
export function createRequestPreparation(deps: PreparationDeps): RequestPreparation {
  const { egress, clock, config, google } = deps;
  const { grants, withoutGoogleToken } = config;
  const readSecret = createSecretReader(config.secrets, egress, () => google.accessToken());
  const tokens = createTokenCache(clock);
  const credentialDeps = { readSecret, grants, google, withoutGoogleToken, tokens, now: () => clock.now() };

  async function allowedOrigins({ app, settings }: Pick<OutboundContext, "app" | "settings">) {
    return originLists(await deps.securitySettings?.(app), settings, config.perimeter);
  }

  /** Apps name token endpoints, so requests to them pass the gate and the allow lists like all others. */
  function postForm(route: OutboundRoute, context: OutboundContext): PostForm {
    return async (url, form, headers) => {
      const tls = tokenEndpointTls(await connectionTls(route, context, readSecret, grants));
      const { status, body } = await egress.fetch({
        method: "POST",
        url,
        headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded", ...headers },
        body: form.toString(),
        timeoutMs: TOKEN_TIMEOUT_MS,
        maxBytes: MAX_TOKEN_BYTES,
        followRedirects: false,
        allowedOrigins: await allowedOrigins(context),
        ...definedFields({ tls }),
      });
      return { status, text: new TextDecoder().decode(body) };
    };
  }

  return {
    credential: (url, route, context) => credentialFor(url, route, context, credentialDeps, postForm(route, context)),
    prepare: async (request, credential, route, context) => {
      const { url, headers, secretHeaders } = applyCredential(request, credential);
      const tls = await connectionTls(route, context, readSecret, grants);
      const connectTo = serviceDirectoryAddress(route, config.serviceDirectory);
      return {
        method: request.method,
        url,
        headers,
        secretHeaders,
        ...definedFields({ body: request.body }),
        timeoutMs: request.timeoutMs,
        maxBytes: request.maxBytes ?? MAX_BYTES,
        followRedirects: request.followRedirects ?? true,
        allowedOrigins: await allowedOrigins(context),
        ...definedFields({ tls, connectTo }),
        signal: context.signal,
      };
    },
    allowedOrigins,
  };
}
