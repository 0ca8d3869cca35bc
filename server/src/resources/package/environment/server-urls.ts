import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { isMap, isScalar, isSeq, parseDocument, type Scalar } from "yaml";
import { scalarStyle } from "../manifest/yaml-style.ts";
import { locateJsonField, locateYamlField } from "./locate-servers.ts";

/**
 * The values of `servers[].url` of an OpenAPI schema in YAML or JSON, in order; none when the text cannot be parsed (the
 * tool or toolset reports that).
 */
export function serverUrls(schema: string): readonly string[] {
  return findUrls(schema).map(({ url }) => url);
}

/**
 * The schema with server URLs replaced, as an edit of the text: indentation, comments and other quotes stay, and the
 * URLs keep their style of quotes (PKG-22). A URL stays where `replacement` returns undefined.
 */
export function replaceServerUrls(schema: string, replacement: (url: string) => string | undefined): string {
  let text = schema;
  // From the end, so that the positions before stay valid.
  for (const { url, start, end } of [...findUrls(schema)].reverse()) {
    const replaced = replacement(url);
    if (replaced !== undefined)
      text = text.slice(0, start) + quoteLike(schema.charAt(start), replaced) + text.slice(end);
  }
  return text;
}

/** Characters of YAML that are read for its servers, at most: they are a few lines, and parsing takes the event loop milliseconds per thousand. */
const MAX_YAML_LENGTH = 16 * 1024;

/** A URL and its range in the text, quotes included. */
interface FoundUrl {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

function findUrls(schema: string): readonly FoundUrl[] {
  if (/^\s*\{/.test(schema) && isJson(schema)) return urlsInJson(schema);
  const part = locateYamlField(schema, "servers");
  if (part === "absent") return [];
  const { start, end } = part ?? { start: 0, end: schema.length };
  if (end - start > MAX_YAML_LENGTH) return [];
  return urlsInYaml(schema.slice(start, end)).map((found) => moved(found, start));
}

function moved({ url, start, end }: FoundUrl, by: number): FoundUrl {
  return { url, start: start + by, end: end + by };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function urlsInJson(schema: string): readonly FoundUrl[] {
  const part = locateJsonField(schema, "servers");
  const servers = part && parseTree(schema.slice(part.start, part.end));
  return (servers?.children ?? []).flatMap((server) => {
    const url = findNodeAtLocation(server, ["url"]);
    if (url?.type !== "string" || url.value === "") return [];
    const found = { url: String(url.value), start: url.offset, end: url.offset + url.length };
    return [moved(found, part?.start ?? 0)];
  });
}

function urlsInYaml(schema: string): readonly FoundUrl[] {
  const document = parseDocument(schema, { prettyErrors: false, uniqueKeys: false, logLevel: "silent" });
  if (document.errors.length > 0 || !isMap(document.contents)) return [];
  const servers = document.contents.get("servers");
  if (!isSeq(servers)) return [];
  return servers.items.flatMap((server) => {
    const url = isMap(server) ? server.get("url", true) : undefined;
    if (!isScalar(url) || typeof url.value !== "string" || url.value === "" || !isOnOneLine(url)) return [];
    const [start, end] = url.range ?? [0, 0];
    return [{ url: url.value, start, end }];
  });
}

/** A URL in a block scalar (`url: >`) cannot be edited in place. */
function isOnOneLine({ type }: Scalar): boolean {
  return type === "PLAIN" || type === "QUOTE_SINGLE" || type === "QUOTE_DOUBLE";
}

function quoteLike(quote: string, url: string): string {
  if (quote === "'") return `'${url.replaceAll("'", "''")}'`;
  if (quote !== '"' && scalarStyle(url, false) === "plain" && !/[,[\]{}]/.test(url)) return url;
  return JSON.stringify(url);
}
