import type { IncomingMessage } from "node:http";
import { splitTarget } from "../http/request-target.ts";
import { JsonRpcCode, type JsonRpcError } from "./json-rpc.ts";
import type { McpHeaders } from "./request-era.ts";
import type { Era } from "./revisions.ts";
import { DEFAULT_VIEW, type View, viewOf } from "./view.ts";

/** Address and headers of an MCP request over HTTP. */
export interface McpHttpRequest {
  /** Path without a slash at its end. */
  readonly path: string;
  readonly headers: McpHeaders;
  /** The session that the client names; "" for none. */
  readonly session: string;
  /** Whether the client accepts events and nothing else. */
  readonly onlyEvents: boolean;
  /** The view that the query selects. Throws `JsonRpcError`. */
  view(): View;
}

/** An error of the transport: an HTTP status with a JSON-RPC error. */
export interface TransportError {
  readonly httpStatus: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads address and headers. `dryRun`: every call is one. */
export function readHttpRequest({ url = "/", headers }: IncomingMessage, dryRun: boolean): McpHttpRequest {
  const { path, queryText } = splitTarget(url);
  const accept = headers.accept ?? "";
  return {
    path: path.replace(/(.)\/$/, "$1"),
    headers: {
      version: single(headers["mcp-protocol-version"]),
      method: single(headers["mcp-method"]),
      name: single(headers["mcp-name"]),
    },
    session: single(headers["mcp-session-id"]) ?? "",
    onlyEvents: accept.includes("text/event-stream") && !/application\/(json|\*)|\*\/\*/.test(accept),
    view: () => {
      const view = queryText === "" ? DEFAULT_VIEW : viewOf(new URLSearchParams(queryText));
      return dryRun ? { ...view, dryRun: true } : view;
    },
  };
}

/** Whether the client accepts events by name: clients that cannot read events may send a wildcard. */
export function acceptsEvents({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/event-stream") ?? false;
}

/** 405 or 415; undefined for a POST of JSON. */
export function transportErrorOf({ headers, method }: IncomingMessage): TransportError | undefined {
  if (method !== "POST") {
    return {
      httpStatus: 405,
      code: JsonRpcCode.transport,
      message: `Method not allowed: ${method}. Send messages with POST; there are no event streams to open and no sessions to delete.`,
      headers: { allow: "POST" },
    };
  }
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    return {
      httpStatus: 415,
      code: JsonRpcCode.transport,
      message: "Unsupported media type: Content-Type must be application/json.",
    };
  }
  return undefined;
}

/** The HTTP status of a JSON-RPC error: revision 2026-07-28 prescribes it, older clients read the body of a 200. */
export function statusOf({ code, data }: JsonRpcError, era: Era): number {
  if (code === JsonRpcCode.methodNotFound) return era === "modern" ? 404 : 200;
  return BAD_REQUESTS.has(code) || data?.envelope !== undefined ? 400 : 200;
}

const BAD_REQUESTS: ReadonlySet<number> = new Set([
  JsonRpcCode.invalidRequest,
  JsonRpcCode.transport,
  JsonRpcCode.headerMismatch,
  JsonRpcCode.missingCapability,
  JsonRpcCode.unsupportedVersion,
]);

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(", ") : header;
}
