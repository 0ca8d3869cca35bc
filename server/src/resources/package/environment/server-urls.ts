import { isMap, isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { scalarStyle } from "../manifest/yaml-style.ts";

/**
 * The values of `servers[].url` of an OpenAPI schema in YAML or JSON, in order; none when the text cannot be read (whoever
 * uses the schema says so).
 */
export function serverUrls(schema: string): readonly string[] {
  return urlScalars(schema).map(({ value }) => String(value));
}

/**
 * The schema with every server URL replaced, as an edit of the text: indentation, comments and quotes elsewhere stay, and
 * the URLs keep their own kind of quotes (app-package 10).
 */
export function replaceServerUrls(schema: string, replacement: (url: string) => string | undefined): string {
  let text = schema;
  // From the end, so that the places before stay where they are.
  for (const scalar of [...urlScalars(schema)].reverse()) {
    const url = replacement(String(scalar.value));
    const [start, end] = scalar.range ?? [0, 0];
    if (url !== undefined && end > start)
      text = text.slice(0, start) + quoteLike(schema.charAt(start), url) + text.slice(end);
  }
  return text;
}

function urlScalars(schema: string): readonly Scalar[] {
  const document = parseDocument(schema, { prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0 || !isMap(document.contents)) return [];
  const servers = document.contents.get("servers");
  if (!isSeq(servers)) return [];
  return servers.items.flatMap((server) => {
    const url = isMap(server) ? server.get("url", true) : undefined;
    return isScalar(url) && typeof url.value === "string" && url.value !== "" && isOnOneLine(url) ? [url] : [];
  });
}

/** A block text for a URL (`url: >`) is nothing to edit in place. */
function isOnOneLine({ type }: Scalar): boolean {
  return type === "PLAIN" || type === "QUOTE_SINGLE" || type === "QUOTE_DOUBLE";
}

function quoteLike(quote: string, url: string): string {
  if (quote === "'") return `'${url.replaceAll("'", "''")}'`;
  if (quote !== '"' && scalarStyle(url, false) === "plain" && !/[,[\]{}]/.test(url)) return url;
  return JSON.stringify(url);
}
