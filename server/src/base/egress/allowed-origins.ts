/** A list of origins (`https://example.com`, `https://example.com:8443`) that requests are held to, and what the list is called. */
export interface OriginList {
  readonly origins: readonly string[];
  /** For the refusal, e.g. `the endpoint control policy of projects/p/locations/us`. */
  readonly name: string;
  /** Whether an origin without a port stands for all ports (EndpointControlPolicy) or its default port alone (VpcScSettings). */
  readonly anyPort: boolean;
}

/** The first list that does not have a URL's origin; undefined when all have it. */
export function forbiddenBy(url: URL, lists: readonly OriginList[]): OriginList | undefined {
  return lists.find(({ origins, anyPort }) => !origins.some((origin) => matches(url, origin, anyPort)));
}

/** `URL` leaves a default port out, so a port that was written is read from the text. */
function matches(url: URL, origin: string, anyPort: boolean): boolean {
  if (!URL.canParse(origin)) return false;
  const allowed = new URL(origin);
  if (allowed.protocol !== url.protocol || allowed.hostname !== url.hostname) return false;
  return (anyPort && !/:\d+\/*$/.test(origin)) || allowed.port === url.port;
}
