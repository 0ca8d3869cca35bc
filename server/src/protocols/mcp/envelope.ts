import { isJsonObject, type JsonObject } from "#base";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import { type Era, LEGACY_REVISIONS, MODERN_REVISIONS, REVISIONS } from "./revisions.ts";

/** What a request of revision 2026-07-28 says of itself, in `params._meta`. */
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/** Headers by which a proxy can tell requests apart; the body must say the same. */
export interface EraHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** The revision that a request claims in its body. */
function claimOf(params: JsonObject): string | undefined {
  const version = isJsonObject(params._meta) ? params._meta[VERSION_KEY] : undefined;
  return typeof version === "string" ? version : undefined;
}

/**
 * Tells the era of a request. One that says nothing is of the old era, whether or not a handshake went before (MCP-9). Throws `JsonRpcError`
 * for a revision that is not spoken, and for a modern request that does not say what it must.
 */
export function eraOf(method: string, params: JsonObject, headers: EraHeaders | undefined): Era {
  const claim = claimOf(params);
  const header = headers?.version;
  if (claim === undefined && method !== "initialize" && header !== undefined && !REVISIONS.includes(header))
    throw new JsonRpcError(JsonRpcCode.transport, unsupported(header), {
      supported: [...REVISIONS],
      requested: header,
    });
  if (claim === undefined && !(header !== undefined && MODERN_REVISIONS.includes(header) && method !== "initialize"))
    return "legacy";
  if (claim !== undefined && LEGACY_REVISIONS.includes(claim) && (header === undefined || header === claim))
    return "legacy";
  if (headers) checkHeaders(method, params, claim, headers);
  checkEnvelope(params, claim);
  return "modern";
}

function unsupported(version: string): string {
  return `Unsupported protocol version: ${version} (supported versions: ${REVISIONS.join(", ")})`;
}

function checkHeaders(method: string, params: JsonObject, claim: string | undefined, headers: EraHeaders): void {
  const name = NAMED[method];
  const expected: readonly (readonly [string, string | undefined, unknown])[] = [
    ["MCP-Protocol-Version", headers.version, claim ?? headers.version],
    ["Mcp-Method", headers.method, method],
    ...(name ? ([["Mcp-Name", decoded(headers.name), params[name]]] as const) : []),
  ];
  for (const [header, given, wanted] of expected) {
    if (given === wanted && given !== undefined) continue;
    const fault = given === undefined ? "is missing" : `is ${JSON.stringify(given)}`;
    throw new JsonRpcError(
      JsonRpcCode.headerMismatch,
      `Header mismatch: ${header} ${fault}, and the request's body says ${JSON.stringify(wanted ?? null)}.`,
    );
  }
}

/** Which parameter the header `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** What a header cannot hold comes as `=?base64?…?=`. */
function decoded(header: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header ?? "")?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString("utf8");
}

function checkEnvelope(params: JsonObject, claim: string | undefined): void {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const missing = [VERSION_KEY, CAPABILITIES_KEY].filter((key) => meta[key] === undefined);
  if (claim !== undefined && !MODERN_REVISIONS.includes(claim))
    throw new JsonRpcError(JsonRpcCode.unsupportedVersion, `Unsupported protocol version: ${claim}.`, {
      supported: [...MODERN_REVISIONS],
      requested: claim,
    });
  if (missing.length > 0)
    throw new JsonRpcError(JsonRpcCode.invalidParams, `The request's params._meta lacks ${missing.join(" and ")}.`, {
      envelope: { missing },
    });
  if (!isJsonObject(meta[CAPABILITIES_KEY]))
    throw new JsonRpcError(JsonRpcCode.invalidParams, `params._meta["${CAPABILITIES_KEY}"] must be an object.`);
}
