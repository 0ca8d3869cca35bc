import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  ExportAppRequest_ExportFormat,
  ExportAppRequestSchema,
  ImportAppRequestSchema,
} from "@frontdesk/protos/ces/agent_service";
import type { JsonObject } from "#base";
import { definedFields } from "#base";
import type { StreamPart } from "#models";
import { call, freePort, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { type A2aAgent, startA2aAgent } from "../../src/tools/__fixtures__/a2a-agent.ts";
import { type EverythingServer, startEverythingServer } from "../../src/tools/__fixtures__/everything-server.ts";
import { type Loopback, serveLoopback } from "../../src/tools/__fixtures__/loopback.ts";
import { restOf } from "../rest.ts";

const PARENT = "projects/test/locations/us";
const APP = `${PARENT}/apps/elsewhere`;
const CONNECTION = "projects/p/locations/l/connections/crm";
const FAKE = `def fake_tool_call(tool, input, callback_context):\n    return {"output": "faked " + tool.name}\n`;

const ALL_THREE = `def all_three() -> dict:
    """Calls a tool of each kind."""
    return {
        "mcp": tools.everything_repeat({"message": "hi"}).json(),
        "agent": tools.travel({"request": "hello"}).json()["response"],
        "connector": tools.close({"id": "7"}).json(),
    }
`;

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
type Json = any;

const model = new ScriptedModel();
let server: TestServer;
let everything: EverythingServer;
let agent: A2aAgent;
let crm: Loopback;

before(async () => {
  [everything, agent, crm] = await Promise.all([
    startEverythingServer(await freePort()),
    startA2aAgent(),
    serveLoopback(({ body }) => ({ closed: body })),
  ]);
  const close = { description: "Closes an issue.", method: "POST" as const, path: "/close", input: CLOSE_INPUT };
  server = await startTestServer({
    model,
    config: {
      egressAllow: ["127.0.0.1"],
      connectors: { http: new Map([[CONNECTION, { baseUrl: crm.origin, actions: { close }, entities: {} }]]) },
    },
  });
  await buildApp();
});
after(async () => {
  for (const each of [server, everything, agent, crm]) await each[Symbol.asyncDispose]();
});

const CLOSE_INPUT: JsonObject = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

const request = restOf(() => server);

async function buildApp(): Promise<void> {
  const toolFakeConfig = { enableFakeMode: true, codeBlock: { pythonCode: FAKE } };
  await request("POST", `${PARENT}/apps?appId=elsewhere`, { displayName: "elsewhere" });
  await request("POST", `${APP}/toolsets?toolsetId=everything`, {
    displayName: "everything",
    toolFakeConfig,
    mcpToolset: { serverAddress: everything.address, toolOverrides: [{ tool: "echo", nameOverride: "repeat" }] },
  });
  await request("POST", `${APP}/tools?toolId=travel`, {
    toolFakeConfig,
    remoteAgentTool: { name: "travel", description: "Books journeys.", agentCard: cardAt(`${agent.origin}/rpc`) },
  });
  await request("POST", `${APP}/tools?toolId=closing`, {
    toolFakeConfig,
    connectorTool: { connection: CONNECTION, action: { connectionActionId: "close" } },
  });
  await request("POST", `${APP}/tools?toolId=all-three`, {
    pythonFunction: { name: "all_three", pythonCode: ALL_THREE },
  });
  await request("POST", `${APP}/agents?agentId=root-agent`, {
    displayName: "Root",
    tools: [`${APP}/tools/travel`, `${APP}/tools/closing`],
    toolsets: [{ toolset: `${APP}/toolsets/everything`, toolIds: ["echo", "get-sum"] }],
  });
  await request("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
}

function cardAt(url: string): JsonObject {
  const supportedInterfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
  return { name: "Travel", description: "Journeys.", version: "1", supportedInterfaces, skills: [] };
}

interface Kind {
  readonly label: string;
  /** The name that the model calls. */
  readonly name: string;
  readonly args: JsonObject;
  readonly execute: JsonObject;
  readonly response: JsonObject;
}

const KINDS: readonly Kind[] = [
  {
    label: "an MCP tool",
    name: "everything_repeat",
    args: { message: "hi" },
    execute: { toolsetTool: { toolset: `${APP}/toolsets/everything`, toolId: "echo" } },
    response: { output: "Echo: hi" },
  },
  {
    label: "a remote agent",
    name: "travel",
    args: { request: "hello" },
    execute: { tool: `${APP}/tools/travel` },
    response: { response: "You said: hello" },
  },
  {
    label: "a connector",
    name: "close",
    args: { id: "7" },
    execute: { tool: `${APP}/tools/closing` },
    response: { output: [{ closed: { id: "7" } }] },
  },
];

/** Runs a turn in which the model calls the tool once; the tool response that it then sees, and the trace's span of the call. */
async function turn({ name, args }: Kind, config: JsonObject = {}) {
  const calls: readonly StreamPart[] = call(name, args);
  model.extend(calls, say("Done."));
  const session = `session-${model.requests.length}`;
  const { outputs } = await request("POST", `${APP}/sessions/${session}:runSession`, {
    config,
    inputs: [{ text: "Go" }],
  });
  const chunks = outputs
    .flatMap((output: Json) => output.diagnosticInfo?.messages ?? [])
    .flatMap(({ chunks }: Json) => chunks);
  const spans = JSON.stringify(outputs.map((output: Json) => output.diagnosticInfo?.rootSpan));
  return { response: chunks.find((chunk: Json) => chunk.toolResponse)?.toolResponse.response, spans };
}

function withoutIds({ contextId: _id, ...response }: JsonObject): JsonObject {
  return response;
}

describe("A tool on another server", () => {
  for (const kind of KINDS) {
    it(`returns the same in a turn and by ExecuteTool, and is in the trace: ${kind.label}`, async () => {
      const { response, spans } = await turn(kind);
      assert.deepEqual(withoutIds(response), kind.response);
      assert.match(spans, new RegExp(`"${kind.name}"`));
      const executed = await request("POST", `${APP}:executeTool`, { ...kind.execute, args: kind.args });
      assert.deepEqual(withoutIds(executed.response), kind.response);
    });

    it(`is replaced by its fake when the session uses fakes: ${kind.label}`, async () => {
      const { response } = await turn(kind, { useToolFakes: true });
      assert.deepEqual(response, { output: `faked ${kind.name}` });
    });
  }

  it("is called from Python, and mocked there", async () => {
    const execute = async (mockConfig?: JsonObject) =>
      (
        await request("POST", `${APP}:executeTool`, {
          tool: `${APP}/tools/all-three`,
          ...definedFields({ mockConfig }),
        })
      ).response.result;
    const real = {
      mcp: { output: "Echo: hi" },
      agent: "You said: hello",
      connector: { output: [{ closed: { id: "7" } }] },
    };
    assert.deepEqual(await execute(), real);
    const mocked = await execute({
      unmatchedToolCallBehavior: "FAIL",
      mockedToolCalls: [
        {
          toolset: { toolset: `${APP}/toolsets/everything`, toolId: "echo" },
          expectedArgsPattern: {},
          mockResponse: { output: 1 },
        },
        { toolId: `${APP}/tools/travel`, expectedArgsPattern: {}, mockResponse: { response: "two" } },
        { toolId: `${APP}/tools/closing`, expectedArgsPattern: {}, mockResponse: { output: 3 } },
      ],
    });
    assert.deepEqual(mocked, { mcp: { output: 1 }, agent: "two", connector: { output: 3 } });
  });

  it("is declared under a valid function name, with the parameters of its server", async () => {
    model.extend(say("Hello."));
    await request("POST", `${APP}/sessions/offer:runSession`, { config: {}, inputs: [{ text: "Hi" }] });
    const functions = model.requests.at(-1)?.tools ?? [];
    const offered = functions.filter(({ name }) => KINDS.some((kind) => kind.name === name) || name.includes("sum"));
    assert.deepEqual(offered.map(({ name, parameters }) => [name, parameters.required]).sort(), [
      ["close", ["id"]],
      ["everything_get-sum", ["a", "b"]],
      ["everything_repeat", ["message"]],
      ["travel", ["request"]],
    ]);
  });
});

describe("A toolset of an MCP server", () => {
  it("is retrieved with overrides and states, or as the server lists it", async () => {
    const retrieve = async (body: JsonObject) =>
      (await request("POST", `${APP}/toolsets/everything:retrieveTools`, { toolIds: ["echo"], ...body })).tools.map(
        ({ name, displayName, mcpTool }: Json) => [name, displayName, mcpTool.state],
      );
    const name = `${APP}/toolsets/everything/tools/echo`;
    assert.deepEqual(await retrieve({}), [[name, "everything_repeat", "ACTIVE"]]);
    assert.deepEqual(await retrieve({ bypassPersistenceConfig: true }), [[name, "everything_echo", "ACTIVE"]]);
  });

  it("keeps a snapshot of each tool that it overrides", async () => {
    const { mcpToolset } = await request("GET", `${APP}/toolsets/everything`);
    const [{ tool, snapshot }] = mcpToolset.toolOverrides;
    assert.deepEqual(
      [tool, snapshot.description, Object.keys(snapshot.inputSchema.properties)],
      ["echo", "Echoes back the input string", ["message"]],
    );
    const changed = await request("PATCH", `${APP}/toolsets/everything?updateMask=description`, {
      description: "All.",
    });
    assert.equal(changed.mcpToolset.toolOverrides[0].snapshot.description, "Echoes back the input string");
  });

  it("is stored although its server is unreachable, which validation_errors report", async () => {
    await request("POST", `${APP}/toolsets?toolsetId=away-set`, {
      displayName: "away",
      mcpToolset: {
        serverAddress: "http://127.0.0.1:1/mcp",
        customHeaders: { Authorization: "$context.variables.token" },
      },
    });
    const { validationErrors } = await request("GET", APP);
    const reported = validationErrors.filter((error: string) => error.startsWith("Toolset 'away'"));
    assert.equal(reported.length, 2, reported.join("\n"));
    assert.match(reported[0], /custom_headers, 'Authorization': this header belongs to the protocol/);
    assert.match(reported[1], /tools could not be listed when the toolset was written: .*ECONNREFUSED/);
  });

  it("is imported with new snapshots, and an unreachable server is reported", async () => {
    const { packages } = server.app.resources;
    const { app } = await packages.exportApp(
      create(ExportAppRequestSchema, { name: APP, exportFormat: ExportAppRequest_ExportFormat.JSON }),
    );
    const parts = { parent: PARENT, appId: "elsewhere-again", app };
    const { name, warnings } = await packages.importApp(create(ImportAppRequestSchema, parts as never));
    const reported = warnings.filter((warning) => warning.startsWith("Toolset 'away'"));
    assert.match(reported.join("\n"), /tools could not be listed when the toolset was written: .*ECONNREFUSED/);
    const { toolsets } = await request("GET", `${name}/toolsets`);
    const set = toolsets.find(({ displayName }: Json) => displayName === "everything");
    assert.equal(set.mcpToolset.toolOverrides[0].snapshot.description, "Echoes back the input string");
  });
});
