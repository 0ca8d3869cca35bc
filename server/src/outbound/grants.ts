import { type CredentialGrant, OutboundError } from "./contract.ts";

/** How an app wants to use a credential. */
interface CredentialUse {
  /** Resource name of the app that names it. */
  readonly app: string;
  /** Destinations of the credential or of a token made from it. Empty for a key that signs and is never sent. */
  readonly urls: readonly string[];
}

/**
 * Throws `OutboundError` unless one grant of the operator lets this app send this secret or service account there. Without grants,
 * whoever writes an app could send any secret to any address. One grant must match in all of its parts.
 */
export function requireGrant(
  credential: string,
  { app, urls }: CredentialUse,
  grants: readonly CredentialGrant[],
): void {
  const names = namesOf(credential);
  const destinations = urls.flatMap((url) => URL.parse(url) ?? []);
  const granted = grants.some(
    ({ credentials, apps, hosts }) =>
      matchesAny(credentials, names) &&
      matchesAny(apps, namesOfApp(app)) &&
      destinations.every((url) => isHostOf(hosts, url)),
  );
  if (granted) return;
  const where = destinations.map(({ host }) => host).join(" and ");
  throw new OutboundError(
    "refused",
    `'${credential}' is not granted to the app '${app}'${where ? ` for ${where}` : ""}. The operator can grant it under 'outbound.grants' of the config file.`,
  );
}

/** Whether one of the patterns (`name` or `name:port`) is that of the URL's host. */
export function isHostOf(hosts: readonly string[], url: URL): boolean {
  const names = [url.hostname, withPort(url)].map((name) => name.toLowerCase());
  return matchesAny(
    hosts.map((host) => host.toLowerCase()),
    names,
  );
}

/** `URL` leaves out the default port. */
function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** A secret may be granted by its full name, without the version, or by its id. */
function namesOf(credential: string): readonly string[] {
  const secret = /^(projects\/[^/]+\/secrets\/([^/]+))(?:\/versions\/[^/]+)?$/.exec(credential);
  return secret ? [credential, secret[1] ?? "", secret[2] ?? ""] : [credential];
}

/** Where the examples and a first server have their apps. */
const FIRST_PROJECT = "projects/local/";

/** An id alone names an app of the project `local` (TOOL-43): in another project somebody else may make an app of that id. */
function namesOfApp(app: string): readonly string[] {
  return app.startsWith(FIRST_PROJECT) ? [app, app.slice(app.lastIndexOf("/") + 1)] : [app];
}

function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matches(pattern, name)));
}

/** `*` matches any characters. Case counts, as in the names of resources. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return name === first;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
