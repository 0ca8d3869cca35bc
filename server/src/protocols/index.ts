/** REST, gRPC, gRPC-Web, Connect, MCP and WebSocket: a registered method becomes an HTTP handler. Protocols know descriptors, not services. */
export { CARD_PATH, createA2aHandler } from "./a2a/a2a-handler.ts";
export { legacyTaskJson } from "./a2a/legacy.ts";
export type { RecordSignIn } from "./auth/contract.ts";
export { createSignInHandler, linkUrl } from "./auth/sign-in-handler.ts";
export { createTokenHandler } from "./auth/token-handler.ts";
export type { HandlerDeps, HttpHandler, RequestLimits, UpgradeHandler } from "./contract.ts";
export { createFilesHandler } from "./files/files-handler.ts";
export { createConnectHandler } from "./grpc/connect-handler.ts";
export { identifySender } from "./http/sender.ts";
export { JsonRpcError } from "./mcp/json-rpc.ts";
export { createMcpHandler, type McpDeps } from "./mcp/mcp-handler.ts";
export type { OAuthConfig } from "./mcp/protected-resource.ts";
export type { McpAdditions, PromptProvider, ResourceProvider } from "./mcp/providers.ts";
export { type LineHandler, type StdioStreams, serveStdio } from "./mcp/stdio.ts";
export { createStdioHandler } from "./mcp/stdio-handler.ts";
export type { Tool, ToolCall } from "./mcp/tool.ts";
export { createRestHandler } from "./rest/rest-handler.ts";
export { createWebSocketHandler, type WebSocketDeps } from "./websocket/websocket-handler.ts";
