import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { type CommandLine, openCommandLine } from "../command-line.ts";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/troubled`;

const CALLBACK = `def before_model_callback(callback_context, llm_request):
  print("looking for the order")
  callback_context.state["order"]
`;
const TOOL = `def look_up(order: str) -> dict:
  """Looks up an order."""
  return {"x": {}[order]}
`;

describe("what goes wrong in a turn that is answered all the same, in the terminal", () => {
  const home = mkdtempSync(join(tmpdir(), "cli-notes-"));
  const model = new ScriptedModel();
  let server: TestServer;
  let commands: CommandLine;
  before(async () => {
    server = await startTestServer({ model });
    commands = openCommandLine();
    const send = restOf(() => server);
    await send("POST", `${PARENT}/apps?appId=troubled`, { displayName: "Troubled" });
    await send("POST", `${APP}/tools?toolId=look-up`, { pythonFunction: { name: "look_up", pythonCode: TOOL } });
    const document = { openapi: "3.0.0", info: { title: "Shop", version: "1" }, paths: {} };
    await send("POST", `${APP}/toolsets?toolsetId=the-shop`, {
      displayName: "shop",
      openApiToolset: { openApiSchema: JSON.stringify(document), url: "https://shop.example.com" },
    });
    await send("POST", `${APP}/agents?agentId=root-agent`, {
      displayName: "Root",
      tools: [`${APP}/tools/look-up`],
      toolsets: [{ toolset: `${APP}/toolsets/the-shop`, toolIds: ["gone"] }],
      beforeModelCallbacks: [{ pythonCode: CALLBACK }],
    });
    await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  });

  const env = () => ({ PATH: process.env.PATH, XDG_CONFIG_HOME: home, FRONTDESK_SERVER: server.address });
  const run = async (...args: readonly string[]) => (await commands.run(args, { env: env() })).stdout;

  it("is told in a chat, with file and line, and what code printed", async () => {
    model.extend(call("look_up", { order: "A-1" }), say("Sorry."));
    const said = await run("chat", "troubled", "--session", "first", "--say", "Where is A-1?");
    assert.match(said, /^agent {2}Sorry\.$/m);
    assert.match(said, /^ {2}failed: before_model callback of Root: KeyError: 'order' \(.+, line 3\)$/m);
    assert.match(said, /^ {2}failed: Tool look_up: Python function execution failed: KeyError: 'A-1'/m);
    assert.match(said, /^ {2}before_model callback of Root: looking for the order$/m);
    assert.match(said, /^ {2}warning: Toolset '.*the-shop' has no tool 'gone'/m);
  });

  it("and which guardrail gave the answer", async () => {
    model.extend(say("Sorry."));
    const send = restOf(() => server);
    await send("POST", `${APP}/guardrails?guardrailId=no-bombs`, {
      displayName: "no bombs",
      enabled: true,
      contentFilter: { bannedContents: ["bomb"], matchType: "SIMPLE_STRING_MATCH" },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
    });
    await send("PATCH", `${APP}?updateMask=guardrails`, { guardrails: [`${APP}/guardrails/no-bombs`] });
    const said = await run("chat", "troubled", "--session", "second", "--say", "A bomb");
    assert.match(said, /^agent {2}No\.\n {2}guarded: Guardrail no bombs: matches the banned content 'bomb'$/m);
    assert.match(await run("logs", "troubled", "--conversation", "second"), /^ {2}guarded: Guardrail no bombs/m);
    await send("PATCH", `${APP}?updateMask=guardrails`, { guardrails: [] });
    assert.match(await run("chat", "troubled", "--session", "third", "--say", "A bomb"), /^agent {2}Sorry\.$/m);
  });

  it("is in the trace, and in the logs as far as something failed", async () => {
    const trace = await run("trace", "troubled/first");
    assert.match(trace, /^ {2}failed: before_model callback of Root: KeyError: 'order'/m);
    assert.match(trace, /^ {2}before_model callback of Root: looking for the order$/m);
    assert.match(trace, /^ {2}warning: Toolset '.*the-shop' has no tool 'gone'/m);
    const logs = await run("logs", "troubled");
    assert.match(logs, /^ {2}failed: before_model callback of Root: KeyError: 'order'/m);
    assert.doesNotMatch(logs, /warning:/);
    const [turn] = JSON.parse(await run("logs", "troubled", "--json"));
    assert.equal(turn.notes.errors.length, 3);
    assert.match(turn.notes.warnings[0], /has no tool 'gone'/);
  });
});
