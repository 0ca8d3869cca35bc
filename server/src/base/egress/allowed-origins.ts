/** A list of allowed origins (`https://example.com`, `https://example.com:8443`) and its name. */
export interface OriginList {
  readonly origins: readonly string[];
  /** For the error, e.g. `the endpoint control policy of projects/p/locations/us`. */
  readonly name: string;
  /** Whether an origin without a port allows all ports (EndpointControlPolicy) or its default port alone (VpcScSettings). */
  readonly anyPort: boolean;
}

/** The first list without the origin of a URL; undefined when all have it. */
export function firstListWithout(url: URL, lists: readonly OriginList[]): OriginList | undefined {
  return lists.find(({ origins, anyPort }) => !origins.some((origin) => matches(url, origin, anyPort)));
}

/** `URL` drops a default port, so an explicit port is read from the text. */
function matches(url: URL, origin: string, anyPort: boolean): boolean {
  if (!URL.canParse(origin)) return false;
  const allowed = new URL(origin);
  if (allowed.protocol !== url.protocol || allowed.hostname !== url.hostname) return false;
  return (anyPort && !/:\d+\/*$/.test(origin)) || allowed.port === url.port;
}
