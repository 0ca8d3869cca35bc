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
      matchesAny(apps, [app, lastSegment(app)]) &&
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
  return matchesAny(hosts, [url.hostname, withPort(url)]);
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

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matches(pattern, name)));
}

/** `*` matches any characters. Case is ignored, as in host names. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const text = name.toLowerCase();
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
