import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { strToU8, zipSync } from "fflate";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { type EchoServer, startEchoServer } from "./echo-server.ts";
import { documentOf } from "./tool-bench.ts";

const PARENT = "projects/shop/locations/us";
const APP = `${PARENT}/apps/the-desk`;
const TOOLSET = `${APP}/toolsets/the-shop`;

const model = new ScriptedModel();
let server: TestServer;
let echo: EchoServer;

/** Answers what it was asked for; never what was in headers. */
before(async () => {
  echo = await startEchoServer((_request, response, { url }) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify({ url })),
  );
  const config = { egressAllow: ["127.0.0.1"] };
  server = await startTestServer({ model, config });
  await send("POST", `${PARENT}/apps?appId=the-desk`, {
    displayName: "Desk",
    variableDeclarations: [{ name: "user", description: "", schema: { type: "STRING", default: "nobody" } }],
  });
  await send("POST", `${APP}/toolsets?toolsetId=the-shop`, {
    displayName: "shop-api",
    openApiToolset: { openApiSchema: SHOP() },
  });
  await send("POST", `${APP}/tools?toolId=ask-it`, { pythonFunction: { name: "ask", pythonCode: ASK } });
  await send("POST", `${APP}/agents?agentId=root-agent`, {
    displayName: "Root",
    tools: [`${APP}/tools/ask-it`],
    toolsets: [{ toolset: TOOLSET, toolIds: ["getItem", "gone"] }],
  });
  await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
});

const ASK = `def ask(id: str) -> dict:
  """Asks the shop."""
  found = tools.shop_api_getItem({"id": id})
  return {"status": found.status_code, "item": found.json()}
`;

const SHOP = () =>
  JSON.stringify(
    documentOf(echo.url, {
      "/items/{id}": {
        get: {
          operationId: "getItem",
          description: "Finds an item.",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            {
              name: "user",
              in: "query",
              required: true,
              schema: {},
              "x-ces-session-context": "$context.variables.user",
            },
          ],
          responses: {},
        },
        delete: {
          operationId: "deleteItem",
          responses: {},
          parameters: [{ name: "id", in: "path", required: true, schema: {} }],
        },
      },
    }),
  );

const send = restOf(() => server);

const turn = (session: string, text: string) =>
  send("POST", `${APP}/sessions/${session}:runSession`, {
    config: { session: `${APP}/sessions/${session}` },
    inputs: [{ text }],
  });

/** The calls and answers of a conversation, as it is recorded. */
async function recorded(session: string) {
  const { turns } = await send("GET", `${APP}/conversations/${session}`);
  const chunks = turns.flatMap(({ messages }: { messages: { chunks: object[] }[] }) =>
    messages.flatMap((message) => message.chunks),
  );
  return chunks.filter((chunk: object) => "toolCall" in chunk || "toolResponse" in chunk);
}

describe("a toolset of an agent", () => {
  const toolsetTool = { toolset: TOOLSET, toolId: "getItem" };

  it("is declared by its tool ids, called, and recorded under the toolset without session values", async () => {
    model.extend(call("shop_api_getItem", { id: "7" }), say("Found."));
    const { outputs } = await turn("session-1", "Item 7?");
    assert.deepEqual(model.requests.at(-1)?.tools, [
      {
        name: "ask",
        description: "Asks the shop.",
        parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      },
      {
        name: "shop_api_getItem",
        description: "Finds an item.",
        parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      },
    ]);
    const [called, answered] = await recorded("session-1");
    const { id } = called.toolCall;
    assert.deepEqual(called.toolCall, { id, toolsetTool, displayName: "shop_api_getItem", args: { id: "7" } });
    assert.deepEqual(answered.toolResponse, {
      id,
      toolsetTool,
      displayName: "shop_api_getItem",
      response: { url: "/items/7?user=nobody" },
    });
    const { rootSpan } = outputs.at(-1).diagnosticInfo;
    assert.match(
      JSON.stringify(rootSpan),
      /Toolset 'projects\/shop\/locations\/us\/apps\/the-desk\/toolsets\/the-shop' has no tool 'gone'/,
    );
  });

  it("returns the same by ExecuteTool as in a turn", async () => {
    const executed = await send("POST", `${APP}:executeTool`, { toolsetTool, args: { id: "7" } });
    assert.deepEqual([executed.toolsetTool, executed.response], [toolsetTool, { url: "/items/7?user=nobody" }]);
    const withUser = await send("POST", `${APP}:executeTool`, {
      toolsetTool,
      args: { id: "7" },
      variables: { user: "ana" },
    });
    assert.deepEqual(withUser.response, { url: "/items/7?user=ana" });
  });

  it("can be called from Python, whether or not an agent lists it, and mocked", async () => {
    const asked = { tool: `${APP}/tools/ask-it`, args: { id: "9" } };
    const { response } = await send("POST", `${APP}:executeTool`, asked);
    assert.deepEqual(response, { result: { status: 200, item: { url: "/items/9?user=nobody" } } });
    const mockConfig = {
      mockedToolCalls: [
        { toolset: { toolset: TOOLSET }, expectedArgsPattern: { id: "9" }, mockResponse: { mocked: true } },
      ],
      unmatchedToolCallBehavior: "FAIL",
    };
    const mocked = await send("POST", `${APP}:executeTool`, { ...asked, mockConfig });
    assert.deepEqual(mocked.response, { result: { status: 200, item: { mocked: true } } });
  });

  it("lists its tools and their schemas", async () => {
    const { tools } = await send("POST", `${TOOLSET}:retrieveTools`, {});
    assert.deepEqual(
      tools.map(({ name, displayName, openApiTool }: Record<string, never> & { openApiTool: { name: string } }) => [
        name,
        displayName,
        openApiTool.name,
      ]),
      [
        [`${TOOLSET}/tools/getItem`, "shop_api_getItem", "getItem"],
        [`${TOOLSET}/tools/deleteItem`, "shop_api_deleteItem", "deleteItem"],
      ],
    );
    const one = await send("POST", `${TOOLSET}:retrieveTools`, { toolIds: ["deleteItem"] });
    assert.equal(one.tools.length, 1);
    const schema = await send("POST", `${APP}:retrieveToolSchema`, { toolsetTool });
    assert.deepEqual(schema, {
      toolsetTool,
      inputSchema: { type: "OBJECT", properties: { id: { type: "STRING" } }, required: ["id"] },
    });
  });

  it("is replaced by its fake when a session uses fakes", async () => {
    const pythonCode = `def fake_getItem(tool: Tool, input: dict, callback_context: CallbackContext) -> dict:\n  return {"fake": input["id"], "of": tool.name}\n`;
    await send("PATCH", `${TOOLSET}?updateMask=toolFakeConfig`, {
      toolFakeConfig: { enableFakeMode: true, codeBlock: { pythonCode } },
    });
    model.extend(call("shop_api_getItem", { id: "7" }), say("Found."));
    const session = `${APP}/sessions/session-2`;
    await send("POST", `${session}:runSession`, {
      config: { session, useToolFakes: true },
      inputs: [{ text: "Item?" }],
    });
    const [, answered] = await recorded("session-2");
    assert.deepEqual(answered.toolResponse.response, { fake: "7", of: "shop_api_getItem" });
  });

  it("is called by its name in a history that a client sends", async () => {
    model.extend(say("Yes."));
    const session = `${APP}/sessions/session-3`;
    const called = { id: "c1", toolsetTool: { toolset: TOOLSET, toolId: "put/it" } };
    const historicalContexts = [{ role: "Root", chunks: [{ toolCall: { ...called, args: { id: "1" } } }] }];
    await send("POST", `${session}:runSession`, {
      config: { session, historicalContexts },
      inputs: [{ text: "Done?" }],
    });
    const parts = model.requests.at(-1)?.messages.flatMap((message) => message.parts) ?? [];
    assert.deepEqual(
      parts.map((part) => (part.kind === "function-call" ? part.name : part.kind)),
      ["shop_api_put_it", "text"],
    );
  });

  it("can be called asynchronously, by its execution type", async () => {
    await send("PATCH", `${TOOLSET}?updateMask=executionType`, { executionType: "ASYNCHRONOUS" });
    model.extend(call("shop_api_getItem", { id: "5" }), say("I am looking."));
    await turn("session-4", "Item 5?");
    const [, answered] = await recorded("session-4");
    assert.deepEqual(
      [answered.toolResponse.toolsetTool, answered.toolResponse.response],
      [toolsetTool, { result: "pending" }],
    );
    model.extend(say("It is there."));
    await turn("session-4", "And?");
    const messages = JSON.stringify(model.requests.at(-1)?.messages);
    assert.match(messages, /function \[shop_api_getItem\] completed with response/);
  });

  it("is stored when its document cannot be used, and reports so in the app", async () => {
    await send("POST", `${APP}/toolsets?toolsetId=the-bad`, {
      displayName: "bad",
      openApiToolset: { openApiSchema: "{}" },
    });
    await send("POST", `${APP}/tools?toolId=single`, { openApiTool: { openApiSchema: SHOP() } });
    const { validationErrors } = await send("GET", APP);
    assert.deepEqual(
      validationErrors.filter((problem: string) => /^Tool/.test(problem)),
      [
        "Tool 'single': open_api_schema: the schema has 2 operations and none has the operationId '' (it has getItem, deleteItem); name one, or make it a toolset.",
        "Toolset 'bad': open_api_schema: the schema has no field 'openapi' with its version, e.g. 3.1.0.",
      ],
    );
    const agent = await send("GET", `${APP}/agents/root-agent`);
    assert.deepEqual(agent.validationErrors, ["toolsets[0].tool_ids: toolset 'shop-api' has no tool 'gone'."]);
    await send("PATCH", `${APP}/tools/single?updateMask=openApiTool.name`, { openApiTool: { name: "deleteItem" } });
    assert.equal((await send("GET", `${APP}/tools/single`)).displayName, "deleteItem");
  });

  it("is imported with its errors as warnings", async () => {
    const files = {
      "app.json": { displayName: "Imported" },
      "toolsets/shop/shop.json": {
        displayName: "shop",
        openApiToolset: { openApiSchema: "toolsets/shop/schema.json" },
      },
      "toolsets/shop/schema.json": documentOf("https://shop.example", { "/a": { get: { responses: {} } } }),
    };
    const texts = Object.entries(files).map(([name, value]) => [name, strToU8(JSON.stringify(value))] as const);
    const appContent = Buffer.from(zipSync(Object.fromEntries(texts))).toString("base64");
    const { name } = await send("POST", `${PARENT}/apps:importApp`, {
      appId: "imported",
      displayName: "Imported",
      appContent,
    });
    let operation = await send("GET", name);
    while (!operation.done) operation = await send("GET", name);
    const { response } = operation;
    assert.deepEqual(
      response.warnings.filter((warning: string) => warning.includes("shop")),
      ["Toolset 'shop': open_api_schema: GET /a has no operationId, so it is not offered."],
    );
    const { toolsets } = await send("GET", `${response.name}/toolsets`);
    assert.deepEqual(
      toolsets.map(({ displayName }: { displayName: string }) => displayName),
      ["shop"],
    );
  });
});
