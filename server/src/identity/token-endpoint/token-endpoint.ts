import { type Caller, definedFields, type JsonObject } from "#base";
import type { ShortLivedStore } from "#storage";
import type { IssuerTokens } from "../issuers/issuer-tokens.ts";
import type { DeviceLogins } from "../sign-in/device-logins.ts";
import type { AccessTokens } from "../tokens/access-tokens.ts";
import { scopesOf } from "../tokens/claims.ts";
import type { RefreshTokens } from "../tokens/refresh-tokens.ts";
import type { ServiceAccountTokens } from "../tokens/service-account-tokens.ts";
import type { TokenEndpoint } from "./contract.ts";
import { errorAnswer, OAuthError } from "./oauth-error.ts";
import { createUsedAssertions } from "./used-assertions.ts";

interface TokenEndpointDeps {
  readonly accessTokens: AccessTokens;
  readonly serviceAccounts: ServiceAccountTokens;
  readonly issuerTokens: IssuerTokens;
  readonly refreshTokens: RefreshTokens;
  readonly deviceLogins: DeviceLogins;
  readonly shortLived: ShortLivedStore;
  readonly now: () => number;
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

/** Types of tokens that can be exchanged: JWTs of the configured issuers. */
const SUBJECT_TYPES: ReadonlySet<string> = new Set(
  ["jwt", "id_token", "access_token"].map((type) => `urn:ietf:params:oauth:token-type:${type}`),
);

/** Whether an audience is that of a workload identity provider, which tokens of workloads often name. */
const isProvider = (audience: string) => /^(?:https:)?\/\/iam\.googleapis\.com\//.test(audience);

/** The grants of `/token` (AUTH-4, AUTH-5, AUTH-6, AUTH-22): assertions of service accounts, tokens of other issuers, refresh tokens and device codes of people. */
export function createTokenEndpoint(deps: TokenEndpointDeps): TokenEndpoint {
  const { accessTokens, refreshTokens, now } = deps;
  const refuseRepeated = createUsedAssertions(deps.shortLived);

  const tokenFor = (caller: Caller): JsonObject => {
    const { token, expiresAt } = accessTokens.issue(caller);
    return {
      access_token: token,
      expires_in: Math.max(0, Math.floor((expiresAt - now()) / 1_000)),
      token_type: "Bearer",
      ...definedFields({ scope: caller.scopes?.join(" ") }),
    };
  };

  const assertion = async (form: URLSearchParams): Promise<JsonObject> => {
    const signed = await deps.serviceAccounts.verifyAssertion(required(form, "assertion"));
    if (!signed)
      throw new OAuthError("invalid_grant", "The assertion is not a JWT of a service account of this server.");
    if (signed.jti !== undefined) await refuseRepeated(signed.caller.credentialId, signed.jti, signed.expiresAt);
    return tokenFor(signed.caller);
  };

  const exchange = async (form: URLSearchParams): Promise<JsonObject> => {
    const type = required(form, "subject_token_type");
    if (!SUBJECT_TYPES.has(type))
      throw new OAuthError("invalid_request", `A subject token of type '${type}' cannot be exchanged; send a JWT.`);
    const wanted = form.get("requested_token_type") ?? ACCESS_TOKEN_TYPE;
    if (wanted !== ACCESS_TOKEN_TYPE)
      throw new OAuthError("invalid_request", `Tokens of type '${wanted}' are not issued here, but access tokens are.`);
    const caller = await deps.issuerTokens.verifySubject(required(form, "subject_token"), isProvider);
    checkProvider(form.get("audience"), caller);
    // What the subject token may not, the new one may not either.
    const scopes = caller.scopes ?? scopesOf(form.get("scope"));
    return { ...tokenFor({ ...caller, ...definedFields({ scopes }) }), issued_token_type: ACCESS_TOKEN_TYPE };
  };

  const refresh = async (form: URLSearchParams): Promise<JsonObject> =>
    tokenFor(await refreshTokens.verify(required(form, "refresh_token")));

  const device = async (form: URLSearchParams): Promise<JsonObject> => {
    const outcome = await deps.deviceLogins.poll(required(form, "device_code"));
    if (typeof outcome === "string") throw new OAuthError(outcome, POLL_MESSAGES[outcome]);
    const { token, id } = await refreshTokens.issue(outcome, "frontdesk login");
    return { ...tokenFor({ ...outcome, credentialId: id }), refresh_token: token };
  };

  const grants: Readonly<Record<string, (form: URLSearchParams) => Promise<JsonObject>>> = {
    [JWT_BEARER]: assertion,
    [TOKEN_EXCHANGE]: exchange,
    refresh_token: refresh,
    [DEVICE_CODE]: device,
  };

  return async (form) => {
    try {
      const type = required(form, "grant_type");
      const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
      if (!grant) throw unsupported(type, Object.keys(grants));
      return { httpStatus: 200, body: await grant(form) };
    } catch (error) {
      return errorAnswer(error);
    }
  };
}

const POLL_MESSAGES = {
  authorization_pending: "Nobody has allowed this login yet.",
  slow_down: "Ask less often.",
  access_denied: "The person did not allow this login.",
  expired_token: "The login took too long, or was finished. Begin a new one.",
} as const;

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value) return value;
  throw new OAuthError("invalid_request", `The parameter '${name}' is missing.`);
}

function unsupported(type: string, known: readonly string[]): OAuthError {
  return new OAuthError(
    "unsupported_grant_type",
    `The grant type '${type.slice(0, 100)}' is not served here; use ${known.join(", ")}.`,
  );
}

/** `//iam.googleapis.com/…/workloadIdentityPools/{issuer}/providers/…`, or a workforce pool: whoever names an issuer must mean the one of the token. */
function checkProvider(audience: string | null, { credentialId }: Caller): void {
  const [, pool] = /\/(?:workloadIdentity|workforce)Pools\/([^/]+)/.exec(audience ?? "") ?? [];
  if (pool === undefined || credentialId === `issuer:${pool}`) return;
  throw new OAuthError(
    "invalid_target",
    `The audience names the issuer '${pool}', and the token is of ${credentialId}.`,
  );
}
