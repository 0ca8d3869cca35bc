/** Addresses by which clients call this server, and what an audience of a token means. */
export interface OwnAddresses {
  /** The address for people and key files, e.g. `https://desk.example.com`; the one that the port is bound to when none is configured, by a name of this machine when those are all. */
  readonly origin: string;
  /** Adds an origin, e.g. that of the port. */
  add(origin: string): void;
  /** Whether an IP address is one that the port is bound to. */
  isBoundTo(address: string): boolean;
  /** Whether an audience means the API: an address of this server, or the service of which clients think that they call it (AUTH-3). */
  isApi(audience: string): boolean;
  /** Whether an audience means the token endpoint (AUTH-4). */
  isTokenEndpoint(audience: string): boolean;
  /** Whether an audience means an endpoint of this server that wants tokens of its own, by its path (AUTH-15). */
  isEndpoint(audience: string, path: string): boolean;
}

/** Path of the token endpoint. */
export const TOKEN_PATH = "/token";

/** `https://geminidataanalytics.googleapis.com/`, regional too: what clients sign for whatever address they call. */
const SERVICES =
  /^https:\/\/(?:ces|geminidataanalytics)\.(?:[a-z0-9-]+\.rep\.)?(?:mtls\.)?(?:googleapis\.com|frontdesk\.local)\//;

const GOOGLE_TOKEN_ENDPOINT = "https://oauth2.googleapis.com/token";

/** `configured`: the public origin; undefined when the operator names none. */
export function createOwnAddresses(configured: string | undefined): OwnAddresses {
  const origins = new Set(configured === undefined ? [] : [configured]);
  let bound = "";

  /** The path of an audience at this server; undefined for other audiences. */
  const pathOf = (audience: string): string | undefined => {
    const url = URL.parse(audience);
    return url && origins.has(url.origin) ? url.pathname : undefined;
  };
  const isService = (audience: string) => SERVICES.test(audience.endsWith("/") ? audience : `${audience}/`);

  return {
    get origin() {
      return configured ?? nameableOrigin(bound);
    },
    add: (origin) => {
      bound ||= origin;
      for (const name of localNames(origin)) origins.add(name);
    },
    isBoundTo: (address) => bound !== "" && new URL(bound).hostname.replace(/^\[|\]$/g, "") === address,
    isApi: (audience) => isService(audience) || (pathOf(audience) ?? TOKEN_PATH) !== TOKEN_PATH,
    isTokenEndpoint: (audience) => audience === GOOGLE_TOKEN_ENDPOINT || pathOf(audience) === TOKEN_PATH,
    isEndpoint: (audience, path) => isService(audience) || ["/", path].includes(pathOf(audience) ?? ""),
  };
}

/** Hosts of a port that is bound to all addresses of the machine, which are no names that a client could use. */
const ALL_ADDRESSES: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);

function nameableOrigin(bound: string): string {
  const url = URL.parse(bound);
  if (!url || !ALL_ADDRESSES.has(url.hostname)) return bound;
  url.hostname = "localhost";
  return url.origin;
}

/** All spellings of an address on this machine. The port serves both schemes where it serves TLS. */
function localNames(origin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(origin);
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  if (!isLoopback && !ALL_ADDRESSES.has(hostname)) return [origin];
  const suffix = port === "" ? "" : `:${port}`;
  const schemes = protocol === "https:" ? ["http:", "https:"] : [protocol];
  return schemes.flatMap((scheme) =>
    ["localhost", "127.0.0.1", "[::1]", hostname].map((name) => `${scheme}//${name}${suffix}`),
  );
}
