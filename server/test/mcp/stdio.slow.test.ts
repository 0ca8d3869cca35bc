import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it, type TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";
import { PROGRAM } from "../program.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");
const APP = "projects/local/locations/us/apps/order-desk";
const command = (...args: string[]): string[] => ["--disable-warning=ExperimentalWarning", PROGRAM, "mcp", ...args];

let folder: string;
let server: TestServer;
before(async () => {
  [folder, server] = await Promise.all([mkdtemp(join(tmpdir(), "frontdesk-mcp-")), startTestServer({ example: true })]);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The command as a child that ends with its test at the latest, whatever the test finds. */
function start(t: TestContext, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, command(...args), {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, FRONTDESK_CACHE: CACHE, FRONTDESK_SANDBOX_GUESTS: "1" },
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** Sends lines, closes the input, and answers what came back, by id. */
async function exchange(
  child: ChildProcess,
  lines: readonly string[],
): Promise<{ readonly code: number; readonly answers: readonly JsonObject[] }> {
  const answers: JsonObject[] = [];
  const reader = createInterface({ input: child.stdout ?? process.stdin });
  reader.on("line", (line) => answers.push(JSON.parse(line) as JsonObject));
  child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  const code = await new Promise<number>((resolve) => child.once("close", (status) => resolve(status ?? 1)));
  return { code, answers };
}

const message = (id: number, method: string, params: JsonObject = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

describe("frontdesk mcp", () => {
  it("serves one client over standard input and output, and ends with it", async (t) => {
    const { code, answers } = await exchange(start(t, "--data", join(folder, "data"), "--log", "info"), [
      message(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }),
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      message(2, "tools/call", { name: "get_app", arguments: { name: APP } }),
      "{ not JSON",
      message(3, "nonsense"),
      `[${message(4, "ping")},${message(5, "ping")}]`,
    ]);
    assert.equal(code, 0);
    const byId = new Map<unknown, JsonObject>(
      answers.flatMap((answer) => (Array.isArray(answer) ? answer : [answer])).map((answer) => [answer.id, answer]),
    );
    const part = (id: unknown, which: "result" | "error") => (byId.get(id)?.[which] ?? {}) as JsonObject;
    assert.equal(part(1, "result").protocolVersion, "2025-06-18");
    assert.match(JSON.stringify(part(2, "result").structuredContent), /"displayName":"Order desk"/);
    assert.equal(part(null, "error").code, -32700);
    assert.equal(part(3, "error").code, -32601);
    assert.deepEqual([part(4, "result"), part(5, "result")], [{}, {}]);
  });

  it("forwards messages of the official client to a running server, with progress and cancellations", async (t) => {
    const args = command("--server", server.address, "--endpoint", "/mcp");
    const client = new Client({ name: "desktop", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const env = { PATH: process.env.PATH ?? "" };
    const pipe = new StdioClientTransport({ command: process.execPath, args, env });
    t.after(() => client.close());
    await client.connect(pipe);
    // The messages of the pipe are checked, not the callback: the client drops progress that comes right before its response.
    const seen: unknown[] = [];
    const onMessage = pipe.onmessage;
    pipe.onmessage = (message, ...rest) => {
      if ("method" in message && message.method === "notifications/progress") seen.push(message);
      onMessage?.(message, ...rest);
    };
    assert.deepEqual(
      [client.getServerVersion()?.name, client.getNegotiatedProtocolVersion()],
      ["frontdesk", "2026-07-28"],
    );
    const session = `${APP}/sessions/over-a-pipe`;
    const turn = { config: { session }, inputs: [{ text: "Where is my order A-1001?" }] };
    await client.callTool({ name: "run_session", arguments: turn }, { onprogress: () => {} });
    assert.ok(seen.length > 0, "progress was reported");
    const controller = new AbortController();
    const cancelledCall = client.callTool({ name: "get_app", arguments: { name: APP } }, { signal: controller.signal });
    controller.abort(new Error("cancelled"));
    await assert.rejects(cancelledCall);
    const { structuredContent } = await client.callTool({ name: "get_app", arguments: { name: APP } });
    assert.equal((structuredContent as JsonObject).name, APP);
  });

  it("names the server that has locked the folder", async (t) => {
    const child = start(t, "--data", server.dataDir);
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += String(chunk);
    });
    assert.equal((await exchange(child, [])).code, 1);
    assert.match(text, /To use the server that has locked it, pass its address with --server\./);
  });
});
