import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfig, replay } from "#app";
import type { JsonObject } from "#base";
import { call, ScriptedModel, say, startTestServer } from "#testing";
import { startModernServer } from "../../src/tools/__fixtures__/modern-server.ts";
import { openCommandLine } from "../command-line.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");
const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-shop`;
const SESSION = `${APP}/sessions/one-session`;

describe("a recording of an app with a toolset", () => {
  it("replays without the server of its tools, recorded live or from the stored conversation", async () => {
    const folder = await mkdtemp(join(tmpdir(), "frontdesk-toolset-"));
    const stored = join(folder, "stored.yaml");
    {
      const inputSchema = { type: "object" as const, properties: { id: { type: "string" } } };
      await using mcp = await startModernServer([{ name: "find", description: "Finds.", inputSchema }], () => ({
        content: [{ type: "text", text: "shipped" }],
      }));
      const model = new ScriptedModel(
        ({ tools }) =>
          call(tools.map(({ name }) => name).find((name) => name.includes("find")) ?? "", { id: "A-1" }, "c-1"),
        say("It is shipped."),
      );
      await using server = await startTestServer({ model, config: { recordDir: folder, egressAllow: ["127.0.0.1"] } });
      const send = async (method: string, path: string, body: JsonObject) => {
        const response = await fetch(`${server.address}/v1beta/${path}`, {
          method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        assert.equal(response.status, 200, await response.text());
      };
      await send("POST", `${PARENT}/apps?appId=the-shop`, { displayName: "Shop" });
      const toolset = { displayName: "Orders", mcpToolset: { serverAddress: mcp.address } };
      await send("POST", `${APP}/toolsets?toolsetId=orders`, toolset);
      await send("POST", `${APP}/agents?agentId=front-desk`, {
        displayName: "Front",
        toolsets: [{ toolset: `${APP}/toolsets/orders` }],
      });
      await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
      await send("POST", `${SESSION}:runSession`, { config: { session: SESSION }, inputs: [{ text: "where is A-1" }] });
      model.assertDone();
      const env = { ...process.env, FRONTDESK_SERVER: server.address, FRONTDESK_CACHE: CACHE };
      await using commandLine = openCommandLine();
      const { stdout } = await commandLine.run(["record", "the-shop/one-session", stored], { env });
      assert.equal(stdout, `recorded 1 of 1 turns in ${stored}\n`);
    }
    const config = readConfig([], { FRONTDESK_CACHE: CACHE });
    const whole = { turns: 1, difference: undefined };
    assert.deepEqual(await replay({ file: join(folder, `${SESSION}.yaml`) }, config), whole);
    assert.deepEqual(await replay({ file: stored }, config), whole);
    await rm(folder, { recursive: true });
  });
});
