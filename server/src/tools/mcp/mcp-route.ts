import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { type McpTool, McpToolSchema } from "@frontdesk/protos/ces/mcp_tool";
import type { JsonObject } from "#base";
import {
  type AppNetwork,
  type Outbound,
  type OutboundContext,
  type OutboundRoute,
  variableNamed,
  variableText,
} from "#outbound";
import { type CustomHeaders, customHeaders } from "./custom-headers.ts";
import type { McpTarget } from "./mcp-connections.ts";

/** What a toolset and its tools say alike of how their server is reached. */
export type McpEndpoint = Pick<
  McpTool,
  "serverAddress" | "apiAuthentication" | "tlsConfig" | "serviceDirectoryConfig" | "customHeaders"
>;

/** Who asks a server for something. */
export interface McpCaller {
  readonly app: string;
  readonly variables: JsonObject;
  readonly settings?: AppNetwork | undefined;
  /** Calls of one conversation may use one connection. Default: the connection serves this call alone. */
  readonly conversation?: string;
}

/** What is done there: a caller's bearer token goes along with executions only, as tools are listed without one (TSET-4). */
export type McpPurpose = "list" | "execute";

/** Where a call goes, and the sentences about headers that it goes without. */
export interface McpRoute {
  readonly target: McpTarget;
  readonly missingHeaders: readonly string[];
}

/** How a server is reached for one caller. */
export function routeTo(
  endpoint: McpEndpoint,
  caller: McpCaller,
  purpose: McpPurpose,
  timeoutMs: number,
  outbound: Outbound,
): McpRoute {
  const custom = customHeaders(endpoint.customHeaders, caller.variables);
  const { serverAddress: address, tlsConfig, serviceDirectoryConfig } = endpoint;
  const apiAuthentication = authenticationFor(endpoint, purpose);
  const route: OutboundRoute = { apiAuthentication, tlsConfig, serviceDirectoryConfig };
  const { app, variables, settings, conversation } = caller;
  const open = (signal: AbortSignal): typeof globalThis.fetch => {
    const context: OutboundContext = { app, variables, settings, signal };
    return endedBy(signal, withHeaders(outbound.webFetch(route, context, { timeoutMs }), custom));
  };
  const share = conversation && shareOf(conversation, endpoint, custom, caller, timeoutMs);
  return { target: { address, open, ...(share && { share }) }, missingHeaders: custom.missing };
}

function authenticationFor({ apiAuthentication }: McpEndpoint, purpose: McpPurpose): McpEndpoint["apiAuthentication"] {
  return purpose === "list" && apiAuthentication?.authConfig.case === "bearerTokenConfig"
    ? undefined
    : apiAuthentication;
}

function withHeaders(fetch: typeof globalThis.fetch, { headers: custom }: CustomHeaders): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(custom)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}

/** What is under way when a connection is closed ends with it. */
function endedBy(closed: AbortSignal, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, closed]) : closed;
    return fetch(input, { ...init, signal });
  };
}

/**
 * What calls must have in common to travel on one connection: everything that its requests are made of. A digest, because that
 * holds credentials.
 */
function shareOf(
  conversation: string,
  endpoint: McpEndpoint,
  { headers }: CustomHeaders,
  { app, variables, settings }: McpCaller,
  timeoutMs: number,
): string {
  const { serverAddress, apiAuthentication, tlsConfig, serviceDirectoryConfig } = endpoint;
  const { vpcScSettings, clientCertificateSettings } = settings ?? {};
  const bearer =
    apiAuthentication?.authConfig.case === "bearerTokenConfig"
      ? variableNamed(apiAuthentication.authConfig.value.token)
      : undefined;
  const token = bearer === undefined ? undefined : variableText(bearer, variables);
  const route = create(McpToolSchema, {
    serverAddress,
    customHeaders: headers,
    ...(apiAuthentication && { apiAuthentication }),
    ...(tlsConfig && { tlsConfig }),
    ...(serviceDirectoryConfig && { serviceDirectoryConfig }),
  });
  const network = create(AppSchema, {
    ...(vpcScSettings && { vpcScSettings }),
    ...(clientCertificateSettings && { clientCertificateSettings }),
  });
  return createHash("sha256")
    .update(JSON.stringify([app, conversation, token ?? "", timeoutMs]))
    .update(toBinary(McpToolSchema, route))
    .update(toBinary(AppSchema, network))
    .digest("hex");
}
