import type { IncomingMessage } from "node:http";

/** The path of a request's address, without the query, which may have a token. */
export function requestPath({ url = "/" }: IncomingMessage): string {
  return splitTarget(url).path;
}

/** Path and query of an address. */
export function splitTarget(target: string): { readonly path: string; readonly queryText: string } {
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, queryText: "" }
    : { path: target.slice(0, mark), queryText: target.slice(mark + 1) };
}
