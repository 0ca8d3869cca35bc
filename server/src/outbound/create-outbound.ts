import type { SecuritySettings } from "@frontdesk/protos/ces/security_settings";
import {
  type Clock,
  definedFields,
  type Egress,
  EgressError,
  type EgressRequest,
  type EgressResponse,
  type EgressStream,
  type Logger,
} from "#base";
import { createGoogleIdentity, type GoogleIdentity, GoogleIdentityError } from "#google";
import { applyCredential } from "./apply-credential.ts";
import {
  type Outbound,
  type OutboundConfig,
  type OutboundContext,
  OutboundError,
  type OutboundRequest,
  type OutboundRoute,
} from "./contract.ts";
import { type Credential, endUserCredentials } from "./credentials.ts";
import { missingGoogleToken } from "./google-tokens.ts";
import { createRequestPreparation, type RequestPreparation } from "./prepare-request.ts";
import { redactCredential, redactCredentialInStream } from "./redact-credential.ts";
import { withRetries } from "./retries.ts";
import { createWebFetch } from "./web-fetch.ts";

/** What requests of tools go through, and where their credentials come from. */
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

/** Creates the client through which tools call other servers. */
export function createOutbound(deps: OutboundDeps): Outbound {
  const { egress, google = createGoogleIdentity() } = deps;
  const preparation = createRequestPreparation({ ...deps, google });
  return {
    fetch: (request, route, context) =>
      withOutboundErrors(() =>
        withRetries(request, context.signal, (timeoutMs) =>
          exchange({ ...request, timeoutMs }, route, context, preparation, async (prepared, credential) =>
            redactCredential(await egress.fetch(prepared), credential),
          ),
        ),
      ),
    webFetch: (route, context, { timeoutMs, maxBytes }) =>
      createWebFetch((request, signal) =>
        withOutboundErrors(() =>
          exchange(
            { ...request, timeoutMs, ...definedFields({ maxBytes }) },
            route,
            { ...context, signal },
            preparation,
            async (prepared, credential) => redactCredentialInStream(await egress.open(prepared), credential),
          ),
        ),
      ),
    authorize: (request, route, context) =>
      withOutboundErrors(async () =>
        applyCredential(request, await preparation.credential(request.url, route, context)),
      ),
    missingGoogleToken: (url, route) => missingGoogleToken(url, route, deps.config.withoutGoogleToken),
    originsOfCode: (app) => preparation.allowedOrigins({ app }),
    endUserCredentials: (authConfig, context) => endUserCredentials(authConfig, context),
    googleAccessToken: (scopes) => withOutboundErrors(() => google.accessToken(scopes)),
    close: async () => {},
  };
}

/** An `Outbound` for processes in which no tool may call another server: every request fails with `why`. */
export function closedOutbound(why: string): Outbound {
  const refuse = () => Promise.reject(new OutboundError("refused", why));
  return {
    fetch: refuse,
    webFetch: () => refuse,
    authorize: refuse,
    missingGoogleToken: () => undefined,
    originsOfCode: async () => [],
    endUserCredentials: () => {
      throw new OutboundError("refused", why);
    },
    googleAccessToken: refuse,
    close: async () => {},
  };
}

/** Sends a request. When the server answers 401 to a cached token, fetches a new token and sends the request once more. */
async function exchange<R extends EgressResponse | EgressStream>(
  request: OutboundRequest,
  route: OutboundRoute,
  context: OutboundContext,
  preparation: RequestPreparation,
  send: (prepared: EgressRequest, credential: Credential) => Promise<R>,
): Promise<R> {
  const first = await preparation.credential(request.url, route, context);
  const response = await send(await preparation.prepare(request, first, route, context), first);
  if (response.status !== 401 || first.kind !== "bearer" || !first.invalidate) return response;
  first.invalidate();
  const second = await preparation.credential(request.url, route, context);
  return send(await preparation.prepare(request, second, route, context), second);
}

/** Turns errors of the egress gate and of this server's identity into `OutboundError`. */
async function withOutboundErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EgressError) throw new OutboundError(error.kind, `${error.message}.`, error);
    if (error instanceof GoogleIdentityError) throw new OutboundError("unauthorized", error.message, error);
    throw error;
  }
}
