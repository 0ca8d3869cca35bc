import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "undici";
import { createBenchApps, PYTHON_APP } from "./bench-apps.ts";
import { processorMs, type Running, startFrontdesk, startScript } from "./processes.ts";
import { say } from "./turns.ts";

const TURNS = 20;
/** Requests in flight, and how long each round lasts. Rounds alternate, so that a busy machine is fair to both. */
const [CONNECTIONS, ROUND_MS, ROUNDS] = [16, 2_000, 4];
/** What the MCP tool must reach of the REST method's calls per second. */
const FLOOR = 0.6;

/** One way to read a conversation. */
interface Way {
  readonly name: string;
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly body?: string;
}

/** Reading a conversation of twenty turns, by the REST method and by the MCP tool: calls per second, and processor time a call. */
export async function benchMcp(folder: string): Promise<void> {
  await using model = await startScript("fake-model-server.ts");
  const configFile = join(folder, "mcp.yaml");
  const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${model.port}/v1beta` };
  writeFileSync(configFile, JSON.stringify({ models: { providers: { google } } }));
  await using server = await startFrontdesk(join(folder, "mcp"), configFile);
  await createBenchApps(server.port);
  const name = await holdConversation(server.port);
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_conversation", arguments: { name } },
  };
  const rest: Way = { name: "GetConversation over REST", path: `/v1beta/${name}`, method: "GET" };
  const mcp: Way = { name: "get_conversation over MCP", path: "/mcp", method: "POST", body: JSON.stringify(call) };
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: CONNECTIONS });
  const totals = await measure([rest, mcp], pool, server);
  await pool.close();
  const [restTotal, mcpTotal] = totals;
  for (const { way, calls, cpuMs, ms, bytes } of totals)
    say(
      `${way.name}: ${((calls / ms) * 1_000).toFixed(0)} calls/s, ${(cpuMs / calls).toFixed(3)} ms of processor a call, ${bytes} bytes`,
    );
  if (!restTotal || !mcpTotal) return;
  const share = mcpTotal.calls / mcpTotal.ms / (restTotal.calls / restTotal.ms);
  say(`MCP reaches ${(share * 100).toFixed(0)} % of REST; promised are ${FLOOR * 100} %`);
}

interface Total {
  readonly way: Way;
  calls: number;
  cpuMs: number;
  ms: number;
  bytes: number;
}

async function measure(ways: readonly Way[], pool: Pool, server: Running): Promise<readonly Total[]> {
  const totals = ways.map((way): Total => ({ way, calls: 0, cpuMs: 0, ms: 0, bytes: 0 }));
  for (const total of totals) await round(total, pool, server, ROUND_MS / 2); // warm-up
  for (const total of totals) Object.assign(total, { calls: 0, cpuMs: 0, ms: 0 });
  for (let count = 0; count < ROUNDS; count++) for (const total of totals) await round(total, pool, server, ROUND_MS);
  return totals;
}

async function round(total: Total, pool: Pool, server: Running, milliseconds: number): Promise<void> {
  const [cpuBefore, started] = [processorMs(server), performance.now()];
  const until = started + milliseconds;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      total.bytes = await read(pool, total.way);
      total.calls++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  total.ms += performance.now() - started;
  total.cpuMs += processorMs(server) - cpuBefore;
}

async function read(pool: Pool, { path, method, body }: Way): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await pool.request({ path, method, headers, ...(body !== undefined && { body }) });
  const text = await response.body.text();
  if (response.statusCode !== 200 || !text.includes('"turnCount":20')) throw new Error(text.slice(0, 400));
  return text.length;
}

async function holdConversation(port: number): Promise<string> {
  const session = `${PYTHON_APP}/sessions/${randomUUID()}`;
  for (let turn = 0; turn < TURNS; turn++) {
    const response = await fetch(`http://127.0.0.1:${port}/v1beta/${session}:runSession`, {
      method: "POST",
      body: JSON.stringify({ config: { session }, inputs: [{ text: "Where is my order A-1001?" }] }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  return session.replace("/sessions/", "/conversations/");
}
