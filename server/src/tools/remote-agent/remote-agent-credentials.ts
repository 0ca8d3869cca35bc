import type { ApiAuthentication } from "@frontdesk/protos/ces/auth";
import { isAmongApps } from "#base";

/** The operator's credential for remote agents of an origin; a tool's agent card cannot name one. */
export interface RemoteAgentCredential {
  /** `https://host[:port]`. */
  readonly origin: string;
  readonly authentication: ApiAuthentication;
  /** Apps whose tools may use it: resource names, which may end in `*`. */
  readonly apps: readonly string[];
}

/** The first credential for calls of an app to an address; undefined = none. */
export function credentialFor(
  address: string,
  app: string,
  credentials: readonly RemoteAgentCredential[],
): ApiAuthentication | undefined {
  const { origin } = new URL(address);
  return credentials.find((each) => each.origin === origin && isAmongApps(app, each.apps))?.authentication;
}
