import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { JsonObject } from "#base";
import { startTestServer, type TestServer } from "#testing";

const PLACE = "projects/local/locations/us";
const APP = `${PLACE}/apps/order-desk`;

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

const endpoint = (query = ""): URL => new URL(`${server.address}/mcp${query}`);
const run = (session: string): { name: string; arguments: JsonObject } => ({
  name: "run_session",
  arguments: { config: { session: `${APP}/sessions/${session}` }, inputs: [{ text: "Where is my order A-1001?" }] },
});

describe("the official TypeScript client, second line", () => {
  for (const [revision, mode] of [
    ["2026-07-28", "auto"],
    ["2025-11-25", "legacy"],
  ] as const) {
    it(`lists, calls with progress and reads in revision ${revision}`, async (t) => {
      const client = new Client({ name: "witness", version: "1" }, { versionNegotiation: { mode } });
      t.after(() => client.close());
      await client.connect(new StreamableHTTPClientTransport(endpoint()));
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      const { tools } = await client.listTools();
      assert.ok(tools.length > 60);
      const { structuredContent } = await client.callTool({ name: "list_agents", arguments: { parent: APP } });
      assert.ok((structuredContent as { agents: unknown[] }).agents.length > 1);
      const seen: unknown[] = [];
      await client.callTool(run(`second-${mode}`), { onprogress: (progress) => seen.push(progress) });
      assert.ok(seen.length > 0, "progress was reported");
      const failed = await client.callTool({ name: "get_app", arguments: { name: `${PLACE}/apps/none` } });
      assert.equal(failed.isError, true);
      const { resources } = await client.listResources();
      const { contents } = await client.readResource({ uri: resources[0]?.uri ?? "" });
      assert.equal(contents.length, 1);
      const conversation = `${APP}/conversations/second-${mode}`;
      const prompt = await client.getPrompt({ name: "explain_conversation", arguments: { conversation } });
      assert.equal(prompt.messages.length, 2);
    });
  }
});

describe("the official TypeScript client, first line", () => {
  it("initializes, lists, calls with progress and reads", async (t) => {
    const client = new OldClient({ name: "witness", version: "1" });
    t.after(() => client.close());
    await client.connect(new OldTransport(endpoint()));
    assert.ok((await client.listTools()).tools.length > 60);
    // It holds each answer against the tool's schema, and refuses it when it does not fit.
    const { structuredContent } = await client.callTool({ name: "get_app", arguments: { name: APP } });
    assert.equal((structuredContent as JsonObject).name, APP);
    const seen: unknown[] = [];
    await client.callTool(run("first-line"), undefined, { onprogress: (progress) => seen.push(progress) });
    assert.ok(seen.length > 0, "progress was reported");
    const failed = await client.callTool({ name: "get_app", arguments: { name: `${PLACE}/apps/none` } });
    assert.equal(failed.isError, true);
    const { resources } = await client.listResources();
    assert.equal((await client.readResource({ uri: resources[0]?.uri ?? "" })).contents.length, 1);
  });
});

const HOOK = join(import.meta.dirname, "inspector-hook.ts");

describe("the inspector's command line", () => {
  const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli/package.json");
  const inspect = async (...args: string[]): Promise<JsonObject> => {
    const cli = join(dirname(manifest), "build", "index.js");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", HOOK, cli, endpoint("?profile=read").href, "--transport", "http", ...args],
      { timeout: 60_000, maxBuffer: 1 << 24 },
    );
    return JSON.parse(stdout) as JsonObject;
  };

  it("lists and calls", async () => {
    const { tools } = await inspect("--method", "tools/list");
    assert.equal((tools as JsonObject[])[0]?.name, "list_apps");
    const { structuredContent } = await inspect(
      "--method",
      "tools/call",
      "--tool-name",
      "get_app",
      "--tool-arg",
      `name=${APP}`,
    );
    assert.equal((structuredContent as JsonObject).name, APP);
  });
});
