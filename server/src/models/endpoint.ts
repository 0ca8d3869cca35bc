/** Where a provider listens: the origin for the pool, and what its paths begin and end with. */
export interface Endpoint {
  readonly origin: string;
  readonly host: string;
  /** The path of a method, e.g. `/v1` + `/chat/completions`; the query of the base URL stays. */
  path(method: string): string;
}

/** Takes a base URL apart, once. */
export function parseEndpoint(baseUrl: string): Endpoint {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, "");
  return {
    origin: url.origin,
    host: url.hostname,
    path: (method) => {
      if (url.search === "") return prefix + method;
      return prefix + method + (method.includes("?") ? `&${url.search.slice(1)}` : url.search);
    },
  };
}
