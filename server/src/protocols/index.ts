/** REST, gRPC, gRPC-Web, Connect, MCP and WebSocket: a registered method becomes an HTTP handler. Protocols know descriptors, not services. */
export type { HttpHandler, ProtocolDeps, RequestLimits, UpgradeHandler } from "./contract.ts";
export { createConnectHandler } from "./grpc/connect-handler.ts";
export { createMcpHandler, type McpDeps } from "./mcp/mcp-handler.ts";
export { createRestHandler, type RestDeps } from "./rest/rest-handler.ts";
export { createWebSocketHandler, type WebSocketDeps } from "./websocket/websocket-handler.ts";
