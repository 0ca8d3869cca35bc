import type { LineHandler } from "#app";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Passes each message on to the MCP endpoint of a running server, and its answers back. */
export function createMcpBridge(server: string, endpoint: string): LineHandler {
  const address = new URL(endpoint, server);
  return async (message, signal, send, notify) => {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: headersOf(message),
        body: JSON.stringify(message),
        signal,
      });
      const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
      if (isEvents && response.body) await passEvents(response.body, send, notify);
      else passWhole(await response.text(), send);
    } catch (error) {
      if (!signal.aborted) fail(message, `The server at ${server} does not answer: ${(error as Error).message}.`, send);
    }
  };
}

/** What revision 2026-07-28 wants to see in headers, beside the usual. */
function headersOf(message: JsonValue): Record<string, string> {
  const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const { method, params } = isJsonObject(message) ? message : {};
  const meta = isJsonObject(params) && isJsonObject(params._meta) ? params._meta : {};
  const version = meta["io.modelcontextprotocol/protocolVersion"];
  if (typeof version !== "string" || typeof method !== "string") return usual;
  const name = isJsonObject(params) ? (method === "resources/read" ? params.uri : params.name) : undefined;
  return {
    ...usual,
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": headerValue(name) }),
  };
}

/** What a header cannot hold is wrapped. */
function headerValue(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

async function passEvents(body: AsyncIterable<Uint8Array>, send: Send, notify: Send): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) (data.startsWith(NOTICE) ? notify : send)(data);
    }
  }
}

/** How the server's notices begin; they may be lost, answers may not. */
const NOTICE = '{"jsonrpc":"2.0","method":';

type Send = (line: string) => void;

function passWhole(text: string, send: Send): void {
  if (text !== "") send(text);
}

/** Only a request is answered. */
function fail(message: JsonValue, reason: string, send: Send): void {
  const id = isJsonObject(message) ? message.id : undefined;
  if (id === undefined || id === null) return;
  const answer: JsonObject = { jsonrpc: "2.0", id, error: { code: -32000, message: reason } };
  send(JSON.stringify(answer));
}
