import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { type McpTool, McpToolSchema } from "@frontdesk/protos/ces/mcp_tool";
import { definedFields, type JsonObject, nonEmptyFields } from "#base";
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

/** The connection settings that toolset and tool messages have in common. */
export type McpEndpoint = Pick<
  McpTool,
  "serverAddress" | "apiAuthentication" | "tlsConfig" | "serviceDirectoryConfig" | "customHeaders"
>;

/** On whose behalf a server is called. */
export interface McpCaller {
  readonly app: string;
  readonly variables: JsonObject;
  readonly settings?: AppNetwork | undefined;
  /** Calls of one conversation share a connection. Default: the connection is used for this call only. */
  readonly conversation?: string;
}

/** The operation. A caller's bearer token is sent with executions only; tools are listed without one (TSET-4). */
type McpPurpose = "list" | "execute";

/** The target of a call, and a sentence for each missing header. */
interface McpRoute {
  readonly target: McpTarget;
  readonly missingHeaders: readonly string[];
}

/** The route to a server for one caller. */
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
    return abortedBy(signal, withHeaders(outbound.webFetch(route, context, { timeoutMs }), custom));
  };
  const connectionKey = conversation && connectionKeyOf(conversation, endpoint, caller);
  const senderKey = senderKeyOf(endpoint, custom, variables);
  return {
    target: { address, open, senderKey, ...nonEmptyFields({ connectionKey }) },
    missingHeaders: custom.missing,
  };
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

/** Aborts pending requests when the connection is closed. */
function abortedBy(closed: AbortSignal, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return (input, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, closed]) : closed;
    return fetch(input, { ...init, signal });
  };
}

/** Calls with the same key can share a connection: of one conversation of an app, to one endpoint, with one network configuration. */
function connectionKeyOf(conversation: string, endpoint: McpEndpoint, { app, settings }: McpCaller): string {
  const { serverAddress, apiAuthentication, tlsConfig, serviceDirectoryConfig, customHeaders: headers } = endpoint;
  const { vpcScSettings, clientCertificateSettings } = settings ?? {};
  const route = create(McpToolSchema, {
    serverAddress,
    customHeaders: headers,
    ...definedFields({ apiAuthentication, tlsConfig, serviceDirectoryConfig }),
  });
  const network = create(AppSchema, {
    ...definedFields({ vpcScSettings, clientCertificateSettings }),
  });
  return createHash("sha256")
    .update(JSON.stringify([app, conversation]))
    .update(toBinary(McpToolSchema, route))
    .update(toBinary(AppSchema, network))
    .digest("hex");
}

/** What of a call's headers comes from variables. A digest, because that includes credentials. */
function senderKeyOf({ apiAuthentication }: McpEndpoint, { headers }: CustomHeaders, variables: JsonObject): string {
  const bearer =
    apiAuthentication?.authConfig.case === "bearerTokenConfig"
      ? variableNamed(apiAuthentication.authConfig.value.token)
      : undefined;
  const token = bearer === undefined ? undefined : variableText(bearer, variables);
  return createHash("sha256")
    .update(JSON.stringify([token ?? "", Object.entries(headers).sort()]))
    .digest("hex");
}
