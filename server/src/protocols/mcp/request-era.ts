import { isJsonObject, type JsonObject } from "#base";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import { type Era, LEGACY_REVISIONS, MODERN_REVISIONS, REVISIONS } from "./revisions.ts";

/** Keys of `params._meta` in requests of revision 2026-07-28. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** Headers for proxies; they must agree with the body. */
export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** The revision that the body of a request names. */
function versionOf(params: JsonObject): string | undefined {
  const version = isJsonObject(params._meta) ? params._meta[VERSION_KEY] : undefined;
  return typeof version === "string" ? version : undefined;
}

/**
 * The era of a request. One that names no revision is legacy, with or without a handshake (MCP-9). Throws `JsonRpcError` for an unsupported
 * revision, and for a modern request without the required keys.
 */
export function eraOf(method: string, params: JsonObject, headers: McpHeaders | undefined): Era {
  const version = versionOf(params);
  const header = headers?.version;
  if (version === undefined && method !== "initialize" && header !== undefined && !REVISIONS.includes(header))
    throw new JsonRpcError(JsonRpcCode.transport, unsupported(header), {
      supported: [...REVISIONS],
      requested: header,
    });
  if (version === undefined && !(header !== undefined && MODERN_REVISIONS.includes(header) && method !== "initialize"))
    return "legacy";
  if (version !== undefined && LEGACY_REVISIONS.includes(version) && (header === undefined || header === version))
    return "legacy";
  if (headers) checkHeaders(method, params, version, headers);
  checkEnvelope(params, version);
  return "modern";
}

function unsupported(version: string): string {
  return `Unsupported protocol version: ${version} (supported versions: ${REVISIONS.join(", ")})`;
}

function checkHeaders(method: string, params: JsonObject, version: string | undefined, headers: McpHeaders): void {
  const name = NAMED[method];
  const expected: readonly (readonly [string, string | undefined, unknown])[] = [
    ["MCP-Protocol-Version", headers.version, version ?? headers.version],
    ["Mcp-Method", headers.method, method],
    ...(name ? ([["Mcp-Name", decoded(headers.name), params[name]]] as const) : []),
  ];
  for (const [header, actual, value] of expected) {
    if (actual === value && actual !== undefined) continue;
    const fault = actual === undefined ? "is missing" : `is ${JSON.stringify(actual)}`;
    throw new JsonRpcError(
      JsonRpcCode.headerMismatch,
      `Header mismatch: ${header} ${fault}, and the request's body says ${JSON.stringify(value ?? null)}.`,
    );
  }
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Values that a header cannot hold are encoded as `=?base64?…?=`. */
function decoded(header: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header ?? "")?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString("utf8");
}

function checkEnvelope(params: JsonObject, version: string | undefined): void {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const missing = [VERSION_KEY, CAPABILITIES_KEY].filter((key) => meta[key] === undefined);
  if (version !== undefined && !MODERN_REVISIONS.includes(version))
    throw new JsonRpcError(JsonRpcCode.unsupportedVersion, `Unsupported protocol version: ${version}.`, {
      supported: [...MODERN_REVISIONS],
      requested: version,
    });
  if (missing.length > 0)
    throw new JsonRpcError(JsonRpcCode.invalidParams, `The request's params._meta lacks ${missing.join(" and ")}.`, {
      envelope: { missing },
    });
  if (!isJsonObject(meta[CAPABILITIES_KEY]))
    throw new JsonRpcError(JsonRpcCode.invalidParams, `params._meta["${CAPABILITIES_KEY}"] must be an object.`);
}
