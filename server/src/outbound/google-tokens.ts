import type { ApiAuthentication } from "@frontdesk/protos/ces/auth";
import { GoogleIdentityError } from "#google";
import { OutboundError, type OutboundRoute } from "./contract.ts";
import { isHostOf } from "./grants.ts";

type AuthConfigCase = ApiAuthentication["authConfig"]["case"];

/** What is sent as each kind of authentication that needs this server's Google identity. */
const GOOGLE_TOKENS: Readonly<Partial<Record<NonNullable<AuthConfigCase>, string>>> = {
  serviceAgentIdTokenAuthConfig: "ID token",
  serviceAccountAuthConfig: "access token",
};

/** Whether the operator says that this request goes without the Google token that its route asks for (TOOL-40). */
export function goesWithoutGoogleToken(
  url: string,
  { apiAuthentication }: OutboundRoute,
  hosts: readonly string[],
): boolean {
  const kind = apiAuthentication?.authConfig.case;
  const target = URL.parse(url);
  return kind !== undefined && kind in GOOGLE_TOKENS && target !== null && isHostOf(hosts, target);
}

/** The sentence for the trace; undefined for a request that has its token, or needs none. */
export function missingGoogleToken(url: string, route: OutboundRoute, hosts: readonly string[]): string | undefined {
  if (!goesWithoutGoogleToken(url, route, hosts)) return undefined;
  const token = GOOGLE_TOKENS[route.apiAuthentication?.authConfig.case ?? "apiKeyConfig"];
  return `The request to ${new URL(url).host} went out without a Google ${token}, as outbound.withoutGoogleToken says.`;
}

/** A token of the identity. Its error also names the setting for work without one. */
export async function googleTokenFor(url: string, fetchToken: () => Promise<string>): Promise<string> {
  try {
    return await fetchToken();
  } catch (error) {
    if (!(error instanceof GoogleIdentityError)) throw error;
    const advice = `For local work, name the host '${new URL(url).host}' under 'outbound.withoutGoogleToken' of the config file (FRONTDESK_WITHOUT_GOOGLE_TOKEN): requests to it then go out without a token.`;
    throw new OutboundError("unauthorized", `${error.message} ${advice}`, error);
  }
}
