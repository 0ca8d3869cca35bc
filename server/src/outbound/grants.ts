import { type CredentialGrant, OutboundError } from "./contract.ts";

/** What a credential is wanted for. */
export interface CredentialUse {
  /** Resource name of the app that names it. */
  readonly app: string;
  /** Where it would go, or what is made of it. None for a key that signs and stays here. */
  readonly urls: readonly string[];
}

/**
 * Refuses a secret or service account that no grant of the operator lets this app use there: whoever writes an app writes the address,
 * too, so an unbound secret would be anybody's. One grant has to fit in all of its parts.
 */
export function requireGrant(
  credential: string,
  { app, urls }: CredentialUse,
  grants: readonly CredentialGrant[],
): void {
  const names = namesOf(credential);
  const places = urls.flatMap((url) => URL.parse(url) ?? []);
  const granted = grants.some(
    ({ credentials, apps, hosts }) =>
      fitsAny(credentials, names) &&
      fitsAny(apps, [app, lastOf(app)]) &&
      places.every((place) => fitsAny(hosts, [place.hostname, withPort(place)])),
  );
  if (granted) return;
  const where = places.map(({ host }) => host).join(" and ");
  throw new OutboundError(
    "refused",
    `'${credential}' is not granted to the app '${app}'${where ? ` for ${where}` : ""}. The operator can do so under 'outbound.grants' of the config file.`,
  );
}

/** A URL leaves the usual port out. */
function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** A secret is also known by its name without the version, and by its id. */
function namesOf(credential: string): readonly string[] {
  const secret = /^(projects\/[^/]+\/secrets\/([^/]+))(?:\/versions\/[^/]+)?$/.exec(credential);
  return secret ? [credential, secret[1] ?? "", secret[2] ?? ""] : [credential];
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function fitsAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => fits(pattern, name)));
}

/** `*` stands for any characters. Case does not count, as in names of hosts. */
function fits(pattern: string, name: string): boolean {
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
