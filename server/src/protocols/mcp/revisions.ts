/** Supported revisions of MCP with an `initialize` handshake, the newest first (MCP-15). */
export const LEGACY_REVISIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Supported revisions of MCP in which every request names its revision. */
export const MODERN_REVISIONS: readonly string[] = ["2026-07-28"];

/** All supported revisions, the newest first. */
export const REVISIONS: readonly string[] = [...MODERN_REVISIONS, ...LEGACY_REVISIONS];

/** `legacy`: revisions with a handshake; `modern`: each request has all the protocol needs. */
export type Era = "legacy" | "modern";

/** Lists change with the server's version only and are the same for all callers. */
const CACHEABLE = '"ttlMs":3600000,"cacheScope":"public"';
/** Contents belong to their reader, and change. */
const NOT_CACHEABLE = '"ttlMs":0,"cacheScope":"private"';

const CACHING: Readonly<Record<string, string>> = {
  "tools/list": CACHEABLE,
  "prompts/list": CACHEABLE,
  "resources/templates/list": CACHEABLE,
  "server/discover": CACHEABLE,
  "resources/list": NOT_CACHEABLE,
  "resources/read": NOT_CACHEABLE,
};

/** Adds to the text of a result what revision 2026-07-28 requires in every one, and what older revisions do not have. */
export function finishResult(era: Era, method: string, result: string, serverInfo: string): string {
  if (era === "legacy") return result;
  const caching = CACHING[method];
  const extra = `"resultType":"complete"${caching ? `,${caching}` : ""},"_meta":{"io.modelcontextprotocol/serverInfo":${serverInfo}}`;
  return result === "{}" ? `{${extra}}` : `${result.slice(0, -1)},${extra}}`;
}
