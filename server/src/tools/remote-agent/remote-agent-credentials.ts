import type { ApiAuthentication } from "@frontdesk/protos/ces/auth";

/** As whom agents of an origin are called. The card in a tool has no word for it, so the operator says it. */
export interface RemoteAgentCredential {
  /** `https://host[:port]`. */
  readonly origin: string;
  readonly authentication: ApiAuthentication;
  /** Apps whose tools may call in this name: resource names; a `*` at the end stands for any rest. */
  readonly apps: readonly string[];
}

/** What an app's call of an address carries; undefined = nothing. The first that fits counts. */
export function credentialFor(
  address: string,
  app: string,
  credentials: readonly RemoteAgentCredential[],
): ApiAuthentication | undefined {
  const { origin } = new URL(address);
  const fits = (pattern: string) => (pattern.endsWith("*") ? app.startsWith(pattern.slice(0, -1)) : app === pattern);
  return credentials.find((each) => each.origin === origin && each.apps.some(fits))?.authentication;
}
