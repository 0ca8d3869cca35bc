import type { Era } from "./revisions.ts";

/** How long and by whom lists may be kept: they change with the server's version alone, and are the same for everybody. */
const KEPT = '"ttlMs":3600000,"cacheScope":"public"';
/** Contents belong to who reads them, and change. */
const FRESH = '"ttlMs":0,"cacheScope":"private"';

const CACHING: Readonly<Record<string, string>> = {
  "tools/list": KEPT,
  "prompts/list": KEPT,
  "resources/templates/list": KEPT,
  "server/discover": KEPT,
  "resources/list": FRESH,
  "resources/read": FRESH,
};

/** Adds to the text of a result what revision 2026-07-28 wants in every one, and what older ones do not know. */
export function finishResult(era: Era, method: string, result: string, serverInfo: string): string {
  if (era === "legacy") return result;
  const caching = CACHING[method];
  const extra = `"resultType":"complete"${caching ? `,${caching}` : ""},"_meta":{"io.modelcontextprotocol/serverInfo":${serverInfo}}`;
  return result === "{}" ? `{${extra}}` : `${result.slice(0, -1)},${extra}}`;
}
