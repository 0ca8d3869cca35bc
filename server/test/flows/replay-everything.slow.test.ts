import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { readConfig, replay } from "#app";
import type { ModelRequest, StreamPart } from "#models";
import { call, ScriptedModel, say, startTestServer } from "#testing";
import { serveLoopback } from "../../src/tools/__fixtures__/loopback.ts";
import { openCommandLine } from "../command-line.ts";
import { createTurnApp } from "../conformance/turn-app.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");
const config = readConfig([], { FRONTDESK_CACHE: CACHE });

const answering = (text: string) => ({ respondImmediately: { responses: [{ text }] } });
const python = (name: string, ...lines: readonly string[]) => ({
  pythonFunction: {
    name,
    pythonCode: `def ${name}(key: str = "") -> dict:\n    """Works."""\n    ${lines.join("\n    ")}\n`,
  },
});
const schemaAt = (origin: string) =>
  JSON.stringify({
    openapi: "3.0.3",
    info: { title: "Shop", version: "1" },
    servers: [{ url: origin }],
    paths: { "/stock": { get: { operationId: "stock", responses: { 200: { description: "Done." } } } } },
  });
const sketch = (origin: string) => ({
  agents: {
    Front: {
      instruction: "Serve {{name}}.",
      childAgents: ["$APP/agents/the-desk"],
      guardrails: ["$APP/guardrails/the-tricks", "$APP/guardrails/the-manners"],
    },
    Desk: {
      instruction: "Know the stock.",
      tools: ["$APP/tools/the-count", "$APP/tools/the-report", "$APP/tools/the-show-map", "end_session"],
      toolsets: [{ toolset: "$APP/toolsets/the-shop" }],
      afterModelCallbacks: [
        {
          pythonCode:
            "def after_model_callback(callback_context, llm_response):\n" +
            "    if any(part.has_function_call('end_session') for part in llm_response.content.parts):\n" +
            "        return LlmResponse.from_parts([Part.from_text('Goodbye.'), *llm_response.content.parts])\n",
        },
      ],
    },
  },
  tools: {
    count: python("count", "context.state['name'] = key", "return {'loaves': 3, 'stock': tools.shop_stock({}).json()}"),
    report: { ...python("report", "return {'pages': 2}"), executionType: "ASYNCHRONOUS" },
    "show map": { clientFunction: { name: "show_map", description: "Shows a map." } },
  },
  toolsets: { shop: { openApiToolset: { openApiSchema: schemaAt(origin) } } },
  guardrails: {
    Tricks: { llmPromptSecurity: { defaultSettings: {} }, action: answering("No tricks.") },
    Manners: { llmPolicy: { prompt: "Be polite.", allowShortUtterance: true }, action: answering("Be polite.") },
  },
  app: { variableDeclarations: [{ name: "name", description: "", schema: { type: "STRING", default: "Ann" } }] },
});

const isJudge = ({ system }: ModelRequest) => system.includes("<policy>");
const isManners = ({ system }: ModelRequest) => system.includes("Be polite.");
const verdict = (triggered: boolean) => say(JSON.stringify({ triggered, reason: "as told" }));
/** Two judges beside the agent: manners are judged at once, tricks when that is known. Each is asked in its own order. */
function judged(rude: boolean, answer: readonly StreamPart[]) {
  const known = Promise.withResolvers<void>();
  const each = async (request: ModelRequest) => {
    if (!isJudge(request)) return answer;
    if (!isManners(request)) return known.promise.then(() => verdict(false));
    setImmediate(known.resolve);
    return verdict(rude);
  };
  return [each, each, each];
}

describe("a recorded session with everything", () => {
  let folder: string;
  let live: string;
  let stored: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-everything-"));
    const model = new ScriptedModel();
    await using shop = await serveLoopback(() => ({ left: 7 }));
    await using server = await startTestServer({ model, config: { recordDir: folder, egressAllow: ["127.0.0.1"] } });
    const app = await createTurnApp(server.address, "bakery", sketch(shop.origin));
    const session = `${app}/sessions/one-session`;
    const ask = async (...inputs: readonly object[]): Promise<string> => {
      const response = await fetch(`${server.address}/v1beta/${session}:runSession`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ config: { session }, inputs }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return text;
    };
    model.extend(...judged(true, say("Never heard.")));
    assert.match(await ask({ text: "you are a slow baker" }), /"Be polite\."/);
    model.extend(
      ...judged(false, call("transfer_to_agent", { agent_name: "Desk" }, "t-1")),
      [...call("count", { key: "Bob" }, "c-1"), ...call("shop_stock", {}, "c-2"), ...call("report", {}, "c-3")],
      [...say("Seven left."), ...call("show_map", {}, "c-4")],
    );
    await ask({ text: "how many loaves are there" });
    model.extend(say("On the left."));
    const toolResponses = [{ id: "c-4", tool: `${app}/tools/the-show-map`, response: { output: 1 } }];
    const isReported = (turn: string) => turn.includes("function [report] completed");
    let reported = isReported(await ask({ toolResponses: { toolResponses } }));
    // The report may take its time: turns follow until one has reported it.
    for (const end = Date.now() + 60_000; !reported && Date.now() < end; await setTimeout(20)) {
      model.extend(say("One moment."));
      reported = isReported(await ask({ text: "and the report?" }));
    }
    assert.ok(reported);
    model.extend(call("end_session", { reason: "done" }, "e-1"));
    assert.match(await ask({ text: "bye" }), /"Goodbye\."/);
    model.assertDone();
    live = join(folder, `${session}.yaml`);
    stored = join(folder, "stored.yaml");
    const env = { ...process.env, FRONTDESK_SERVER: server.address, FRONTDESK_CACHE: CACHE };
    await using commandLine = openCommandLine();
    for (const args of [
      ["record", session, stored],
      ["export", app, join(folder, "package")],
    ]) {
      const { code, stderr } = await commandLine.run(args, { env });
      assert.equal(code, 0, stderr);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("replays without its servers, as recorded live and from the stored conversation", async () => {
    const turns = (await readFile(live, "utf8")).match(/^kind: turn$/gm)?.length ?? 0;
    assert.ok(turns >= 4);
    for (const file of [live, stored])
      assert.deepEqual(await replay({ file }, config), { turns, difference: undefined }, file);
  });

  it("finds its answers when a prompt was reworded, and names the first turn that another change alters", async () => {
    const app = join(folder, "package");
    await writeFile(join(app, "agents", "Front", "instruction.txt"), "Be of service to {{name}}, always.");
    for (const file of [live, stored]) assert.equal((await replay({ file, app }, config)).difference, undefined, file);
    const manifest = join(app, "guardrails", "Manners", "Manners.json");
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace('Be polite."\n', 'Mind your words."\n'));
    for (const file of [live, stored]) {
      const { difference } = await replay({ file, app }, config);
      assert.equal(difference?.turn, 1, file);
      assert.match(difference?.recorded ?? "", /Be polite\./);
      assert.match(difference?.replayed ?? "", /Mind your words\./);
    }
  });
});
