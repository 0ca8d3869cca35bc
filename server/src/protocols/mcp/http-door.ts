import type { IncomingMessage } from "node:http";
import type { EraHeaders } from "./envelope.ts";
import { JsonRpcCode, type JsonRpcError } from "./json-rpc.ts";
import type { Era } from "./revisions.ts";
import { type View, viewOf, WHOLE_VIEW } from "./view.ts";

/** What an HTTP request says beside its body. */
export interface Door {
  /** Path without a slash at its end. */
  readonly path: string;
  readonly headers: EraHeaders;
  /** The session that the client says it is in; "" for none. */
  readonly session: string;
  /** The client takes events and nothing else. */
  readonly onlyEvents: boolean;
  /** What the query asks for. Throws `JsonRpcError`. */
  view(): View;
}

/** A refusal of the transport: an HTTP status with a JSON-RPC error. */
export interface Refusal {
  readonly httpStatus: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads address and headers. */
export function doorOf({ url = "/", headers }: IncomingMessage, alwaysDry: boolean): Door {
  const mark = url.indexOf("?");
  const query = mark < 0 ? "" : url.slice(mark + 1);
  const path = (mark < 0 ? url : url.slice(0, mark)).replace(/(.)\/$/, "$1");
  const accept = headers.accept ?? "";
  return {
    path,
    headers: {
      version: single(headers["mcp-protocol-version"]),
      method: single(headers["mcp-method"]),
      name: single(headers["mcp-name"]),
    },
    session: single(headers["mcp-session-id"]) ?? "",
    onlyEvents: accept.includes("text/event-stream") && !/application\/(json|\*)|\*\/\*/.test(accept),
    view: () => {
      const view = query === "" ? WHOLE_VIEW : viewOf(new URLSearchParams(query));
      return alwaysDry ? { ...view, dryRun: true } : view;
    },
  };
}

/** Events are sent to who names them: a wildcard is what clients send that did not think of it. */
export function wantsEvents({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/event-stream") ?? false;
}

/** Why a request is not looked into; undefined when it is. */
export function refusalOf({ headers, method }: IncomingMessage, isEndpoint: boolean): Refusal | undefined {
  if (!isEndpoint) return undefined;
  if (method !== "POST") {
    return {
      httpStatus: 405,
      code: JsonRpcCode.transport,
      message: `Method not allowed: ${method}. Send messages by POST; there are no event streams to open and no sessions to end.`,
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

/** HTTP statuses of refusals: revision 2026-07-28 prescribes them, older clients read the body of a 200. */
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
