import type { LineHandler } from "#app";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { tokensFor } from "./sign-in/bearer-token.ts";

/** Forwards each message to the MCP endpoint of a running server, and its responses back. */
export function createMcpBridge(server: string, endpoint: string): LineHandler {
  const address = new URL(endpoint, server);
  const tokens = tokensFor(server);
  return async (message, signal, send, notify) => {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: { ...headersOf(message), ...(tokens && { authorization: `Bearer ${await tokens()}` }) },
        body: JSON.stringify(message),
        signal,
      });
      const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
      if (isEvents && response.body) await forwardEvents(response.body, send, notify);
      else forwardText(await response.text(), send);
    } catch (error) {
      if (!signal.aborted) fail(message, `The server at ${server} is unreachable: ${(error as Error).message}.`, send);
    }
  };
}

/** The headers of the request, with those that revision 2026-07-28 requires. */
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

/** Values that a header cannot hold are encoded as Base64. */
function headerValue(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

async function forwardEvents(body: AsyncIterable<Uint8Array>, send: Send, notify: Send): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) (data.startsWith(NOTIFICATION) ? notify : send)(data);
    }
  }
}

/** The first characters of a notification, which may be lost; responses may not. */
const NOTIFICATION = '{"jsonrpc":"2.0","method":';

type Send = (line: string) => void;

function forwardText(text: string, send: Send): void {
  if (text !== "") send(text);
}

/** Only requests have a response. */
function fail(message: JsonValue, reason: string, send: Send): void {
  const id = isJsonObject(message) ? message.id : undefined;
  if (id === undefined || id === null) return;
  const answer: JsonObject = { jsonrpc: "2.0", id, error: { code: -32000, message: reason } };
  send(JSON.stringify(answer));
}
