import type { JsonValue } from "#base";
import { JsonRpcCode, JsonRpcError } from "./json-rpc.ts";
import type { Tool } from "./tool.ts";
import type { View } from "./view.ts";

/** The text of a `tools/list` result for a view and a cursor, of the tools that the caller may use. Schemas are rendered once per form. */
type ToolListing = (view: View, cursor: JsonValue | undefined, mayUse: (tool: Tool) => boolean) => string;

/** The listing of these tools. */
export function createToolListing(tools: readonly Tool[]): ToolListing {
  const texts = new Map<string, string>();
  const textOf = (tool: Tool, view: View): string => {
    const key = `${tool.name} ${view.schemas} ${view.outputs}`;
    const known = texts.get(key) ?? JSON.stringify(tool.listing(view));
    texts.set(key, known);
    return known;
  };
  return (view, cursor, mayUse) => {
    const isInView = ({ kind, hosted }: Tool) => view.kinds.has(kind) && (hosted || !view.hostedOnly);
    const shown = tools.filter((tool) => isInView(tool) && mayUse(tool));
    const from = cursor === undefined ? 0 : startOf(cursor, shown);
    const page = shown.slice(from, from + view.pageSize);
    const next = shown[from + view.pageSize];
    const nextCursor = next ? `,"nextCursor":${JSON.stringify(cursorTo(next))}` : "";
    return `{"tools":[${page.map((tool) => textOf(tool, view)).join(",")}]${nextCursor}}`;
  };
}

/** A cursor names the next tool, so that it stays valid when tools are added. */
function cursorTo({ name }: Tool): string {
  return Buffer.from(name).toString("base64url");
}

function startOf(cursor: JsonValue, shown: readonly Tool[]): number {
  const index = shown.findIndex((tool) => cursorTo(tool) === cursor);
  if (index >= 0) return index;
  throw new JsonRpcError(JsonRpcCode.invalidParams, "cursor must be the nextCursor of an earlier response.");
}
