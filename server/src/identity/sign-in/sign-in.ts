import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { Clock, Egress, Logger } from "#base";
import { ConnectError } from "#status";
import type { Issuer } from "../issuers/contract.ts";
import { callerOf } from "../issuers/principals.ts";
import type { OwnAddresses } from "../own-addresses.ts";
import type { SignedIn } from "../sessions/sessions.ts";
import { createSignedClaims } from "../tokens/signed-claims.ts";
import { type ConsoleClient, type SignIn, SignInError } from "./contract.ts";
import { egressFetch } from "./egress-fetch.ts";

interface SignInDeps {
  readonly client: ConsoleClient;
  readonly issuer: Issuer;
  readonly addresses: OwnAddresses;
  /** Signs the cookie of a sign-in; 32 bytes. */
  readonly key: Uint8Array;
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Path to which the issuer sends browsers back. */
const CALLBACK_PATH = "/auth/callback";

/** Milliseconds that a person has at the issuer. */
const TIME_MS = 600_000;

/** What the callback needs of the beginning. It is in a cookie, so that another replica can finish, and nothing has to be forgotten. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly until: number;
}

/** Signing in by the authorization code flow with PKCE (AUTH-20). The issuer is read at the first sign-in, and again after a failure. */
export function createSignIn(deps: SignInDeps): SignIn {
  const { client, issuer, addresses, key, clock, logger } = deps;
  const cookies = createSignedClaims<Begun>("fdlogin1", key);
  const redirectUri = () => `${addresses.origin}${CALLBACK_PATH}`;
  let configuration: Promise<Configuration> | undefined;

  function discovered(): Promise<Configuration> {
    configuration ??= discover(deps).catch((error: unknown) => {
      configuration = undefined;
      logger.warn({ err: error, issuer: issuer.name }, "an issuer cannot be read");
      throw new SignInError("failed", `The issuer '${issuer.name}' cannot be reached.`, error);
    });
    return configuration;
  }

  /** What an answer of the issuer makes of a sign-in that began here. */
  async function exchange(callback: URL, { verifier, state, nonce }: Begun): Promise<SignedIn> {
    const config = await discovered();
    try {
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(config, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new Error("the answer has no ID token");
      const hasInfo = config.serverMetadata().userinfo_endpoint !== undefined;
      const info = hasInfo ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      return personOf(issuer, { ...info, ...claims });
    } catch (error) {
      throw faultOf(error, issuer, logger);
    }
  }

  return {
    issuer: issuer.name,
    async begin(returnTo) {
      const config = await discovered();
      const begun: Begun = {
        ...{ state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() },
        ...{ returnTo, until: clock.now() + TIME_MS },
      };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: ["openid", "email", "profile", ...client.scopes].join(" "),
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: "S256",
        state: begun.state,
        nonce: begun.nonce,
      });
      return { url: url.href, cookie: cookies.sign(begun) };
    },
    async finish(callback, cookie) {
      const begun = cookie === undefined ? "other" : cookies.read(cookie);
      if (typeof begun === "string" || begun.until <= clock.now())
        throw new SignInError("expired", "The sign-in took too long, or began in another browser.");
      const answer = new URL(redirectUri());
      answer.search = callback.search;
      return { person: await exchange(answer, begun), returnTo: begun.returnTo };
    },
  };
}

async function discover({ client, issuer, egress }: SignInDeps): Promise<Configuration> {
  const url = new URL(issuer.issuer);
  const metadata = { client_secret: client.clientSecret, [clockTolerance]: 60 };
  // The configuration accepts plain http for issuers on this machine only.
  const execute = [enableNonRepudiationChecks, ...(url.protocol === "http:" ? [allowInsecureRequests] : [])];
  const options = { execute, [customFetch]: egressFetch(egress) };
  return await discovery(url, client.clientId, metadata, undefined, options);
}

/** Throws UNAUTHENTICATED when the issuer may not vouch for the person. */
function personOf(issuer: Issuer, claims: Parameters<typeof callerOf>[1]): SignedIn {
  const { principal, kind, groups, claims: said } = callerOf(issuer, claims, false);
  return { principal, kind, groups, claims: said, by: `issuer:${issuer.name}` };
}

function faultOf(error: unknown, { name }: Issuer, logger: Logger): SignInError {
  if (error instanceof AuthorizationResponseError)
    return new SignInError("denied", `The issuer '${name}' answered ${error.error}.`, error);
  if (error instanceof ConnectError) return new SignInError("refused", error.rawMessage, error);
  logger.warn({ err: error, issuer: name }, "a sign-in failed");
  return new SignInError("failed", `The sign-in at '${name}' failed. The log has the reason.`, error);
}
