import type { JsonObject, JsonValue } from "#base";
import { definedFields } from "#base";

/** An answer of the MCP endpoint as a test looks at it. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  /** Notifications before the answer; none where the answer is plain JSON. */
  readonly notices: readonly JsonObject[];
  readonly result: JsonObject & {
    readonly tools?: readonly Listed[];
    readonly content?: readonly { readonly type: string; readonly text: string }[];
  };
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject } | undefined;
}

/** A tool as `tools/list` returns it. */
export interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & {
    readonly properties: Readonly<Record<string, JsonObject>>;
    readonly required?: string[];
  };
  readonly outputSchema?: JsonObject;
  readonly annotations: JsonObject;
  readonly _meta?: JsonObject;
}

interface Sending {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Posts one request, as a program with `fetch` does. */
export async function ask(
  server: string,
  method: string,
  params: JsonObject = {},
  sending: Sending = {},
): Promise<Reply> {
  const { path = "/mcp", headers, signal } = sending;
  const response = await fetch(`${server}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    ...definedFields({ signal }),
  });
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  const messages = type.startsWith("text/event-stream")
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as JsonObject)
    : [JSON.parse(text) as JsonObject];
  const last = messages.at(-1) ?? {};
  return {
    status: response.status,
    type,
    headers: response.headers,
    notices: messages.slice(0, -1),
    result: (last.result ?? {}) as Reply["result"],
    error: last.error as unknown as Reply["error"],
  };
}

/** Calls a tool. */
export function callTool(
  server: string,
  name: string,
  args: JsonObject,
  sending: Sending & { readonly meta?: JsonObject } = {},
) {
  const { meta, ...rest } = sending;
  return ask(server, "tools/call", { name, arguments: args, ...definedFields({ _meta: meta }) }, rest);
}

/** The metadata of a request of revision 2026-07-28. */
export const ENVELOPE: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Headers of such a request. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
}

/** Every object in a JSON value, with its depth. */
export function* objectsIn(
  value: JsonValue,
  depth = 0,
): Generator<{ readonly object: JsonObject; readonly depth: number }> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { object: value, depth };
  for (const item of Object.values(value)) yield* objectsIn(item, depth + 1);
}
