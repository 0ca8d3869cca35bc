import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type CallToolResult, createMcpHandler, Server, type Tool } from "@modelcontextprotocol/server";

/** A request as a server of revision 2026-07-28 got it. */
interface McpRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Its body as it came. */
  readonly text: string;
}

interface ModernServer extends AsyncDisposable {
  readonly address: string;
  readonly got: readonly McpRequest[];
}

/** Starts a server of the SDK that speaks revision 2026-07-28 and the ones before it, and lists its tools two by two. */
export async function startModernServer(
  tools: readonly Tool[],
  answer: (name: string, args: unknown) => CallToolResult | Record<string, unknown>,
): Promise<ModernServer> {
  const got: McpRequest[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "modern", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", ({ params }) => {
      const from = Number(params?.cursor ?? 0);
      const nextCursor = from + 2 < tools.length ? { nextCursor: String(from + 2) } : {};
      return { tools: tools.slice(from, from + 2), ...nextCursor, ttlMs: 1_000, cacheScope: "private" };
    });
    server.setRequestHandler("tools/call", ({ params }) => answer(params.name, params.arguments) as CallToolResult);
    return server;
  });
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", headers, url = "/" } = request;
    const body = Buffer.concat(chunks);
    got.push({ method: body.length > 0 ? String(JSON.parse(body.toString()).method) : method, headers, text: body.toString() });
    const init = { method, headers: new Headers(headers as Record<string, string>) };
    const web = new Request(`http://127.0.0.1${url}`, body.length > 0 ? { ...init, body } : init);
    const answered = await handler.fetch(web);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  return {
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    got,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await handler.close();
    },
  };
}
