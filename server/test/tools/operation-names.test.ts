// OpenAPI operations as FastAPI names them: long ids with double underscores, which the hosted product exports with single ones.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { strToU8, zipSync } from "fflate";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { type EchoServer, startEchoServer } from "./echo-server.ts";
import { documentOf } from "./tool-bench.ts";

const PARENT = "projects/shop/locations/us";
const UPDATE = "update_application_applications__application_id__documents__document_id__versions_latest__patch";
const LIST = "list_applications_applications__get";
const exported = (id: string) => id.replaceAll(/_+/g, "_");

/** Returns what `tool.name` was to the callback, beside the response. */
const NOTES_NAME = `def before_tool_callback(tool, input, callback_context):
  set_variable("seen", get_variable("seen") + [tool.name])
`;
const BOTH_NAMES = `def both_names() -> dict:
  """Calls an operation by both of its names."""
  args = {"application_id": "a", "document_id": "d"}
  return {
    "full": tools.apply_api_${UPDATE}(args).status_code,
    "exported": tools.apply_api_${exported(UPDATE)}(args).status_code,
    "awaited": async_tools.apply_api_${exported(UPDATE)}(args)().status_code,
  }
`;
const SHORT = `apply_api_${UPDATE}`.slice(0, 55);
const TODAY = `${SHORT}_${createHash("sha256").update(`apply_api_${UPDATE}`).digest("hex").slice(0, 8)}`;
const SHORT_NAME = `def short_name() -> int:
  """Calls an operation by the shortened name, as code of earlier exports does."""
  return tools.${TODAY}({"application_id": "a", "document_id": "d"}).status_code
`;

const model = new ScriptedModel();
let server: TestServer;
let echo: EchoServer;
let app = "";
let toolset = "";
let agent = "";
let warnings: readonly string[] = [];

const send = restOf(() => server);

const path = (operationId: string, ...names: readonly string[]) => ({
  operationId,
  responses: {},
  parameters: names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
});

before(async () => {
  echo = await startEchoServer((_request, response, { method, url }) =>
    response.setHeader("content-type", "application/json").end(JSON.stringify({ method, url })),
  );
  server = await startTestServer({ model, config: { egressAllow: ["127.0.0.1"] } });
  const json = (value: unknown) => strToU8(JSON.stringify(value));
  const files = {
    "app.json": json({
      displayName: "Applications",
      rootAgent: "Root",
      variableDeclarations: [{ name: "seen", description: "", schema: { type: "ARRAY", default: [] } }],
    }),
    "agents/Root/Root.json": json({
      displayName: "Root",
      instruction: "Help.",
      tools: ["both_names", "short_name"],
      toolsets: [{ toolset: "apply-api", toolIds: [exported(UPDATE), exported(LIST), "twin_get"] }],
      beforeToolCallbacks: [{ pythonCode: "agents/Root/before_tool_callbacks/01/python_code.py" }],
    }),
    "agents/Root/before_tool_callbacks/01/python_code.py": strToU8(NOTES_NAME),
    ...Object.fromEntries(
      Object.entries({ both_names: BOTH_NAMES, short_name: SHORT_NAME }).flatMap(([name, code]) => [
        [
          `tools/${name}/${name}.json`,
          json({
            displayName: name,
            pythonFunction: { name, pythonCode: `tools/${name}/python_function/python_code.py` },
          }),
        ],
        [`tools/${name}/python_function/python_code.py`, strToU8(code)],
      ]),
    ),
    "toolsets/apply-api/apply-api.json": json({
      displayName: "apply-api",
      openApiToolset: { openApiSchema: "toolsets/apply-api/open_api_toolset/open_api_schema.json" },
    }),
    "toolsets/apply-api/open_api_toolset/open_api_schema.json": json(
      documentOf(echo.url, {
        "/applications/{application_id}/documents/{document_id}/versions/latest": {
          patch: path(UPDATE, "application_id", "document_id"),
        },
        "/applications": { get: path(LIST) },
        "/twins": { get: path("twin__get"), post: path("twin___get") },
      }),
    ),
  };
  const appContent = Buffer.from(zipSync(files)).toString("base64");
  let operation = await send("POST", `${PARENT}/apps:importApp`, { displayName: "Applications", appContent });
  while (!operation.done) operation = await send("GET", operation.name);
  app = operation.response.name;
  warnings = operation.response.warnings ?? [];
  [agent] = (await send("GET", `${app}/agents`)).agents.map(({ name }: { name: string }) => name);
  [toolset] = (await send("GET", `${app}/toolsets`)).toolsets.map(({ name }: { name: string }) => name);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
});

async function turn(session: string, text: string) {
  const { outputs } = await send("POST", `${app}/sessions/${session}:runSession`, {
    config: { session: `${app}/sessions/${session}` },
    inputs: [{ text }],
  });
  const { rootSpan, messages } = outputs.at(-1).diagnosticInfo;
  const spans: { name: string; attributes: { name: string; response: object } }[] = rootSpan.childSpans;
  return { rootSpan, messages, tool: spans.find(({ name }) => name === "Tool")?.attributes };
}

describe("an operation with a long id of double underscores", () => {
  const args = { application_id: "a-1", document_id: "d-2" };
  const url = "/applications/a-1/documents/d-2/versions/latest";
  const full = `apply_api_${UPDATE}`;

  it("is offered under its whole name to an agent that lists it by its exported id", async () => {
    assert.equal(UPDATE.length > 90, true);
    assert.deepEqual(
      warnings.filter((warning) => /tool_ids/.test(warning)),
      [
        "Agent 'Root', toolsets[0].tool_ids: 'twin_get' fits several tools of toolset 'apply-api' ('twin__get', 'twin___get'); write one exactly.",
      ],
    );
    model.extend(say("Hello."));
    const { rootSpan } = await turn("offered", "Hello");
    assert.deepEqual(
      model.requests.at(-1)?.tools.map(({ name }) => name),
      ["both_names", "short_name", full, `apply_api_${LIST}`],
    );
    assert.deepEqual(rootSpan.attributes.warnings, [
      `Toolset '${toolset}' has several tools that fit 'twin_get' ('twin__get', 'twin___get'); the agent runs without them.`,
    ]);
  });

  it("is called, traced, recorded and shown to callbacks by its whole name, whichever name the model uses", async () => {
    for (const [session, name] of [
      ["whole", full],
      ["exported", exported(full)],
      ["shortened", TODAY],
    ] as const) {
      model.extend(call(name, args), say("Done."));
      const { tool, messages } = await turn(`called-${session}`, "Update it");
      assert.deepEqual([tool?.name, tool?.response], [full, { method: "PATCH", url }], session);
      const chunks: { toolCall?: object; updatedVariables?: object }[] = messages.flatMap(
        (message: { chunks: object[] }) => message.chunks,
      );
      const called = chunks.find(({ toolCall }) => toolCall)?.toolCall as { id: string };
      const toolsetTool = { toolset, toolId: UPDATE };
      assert.deepEqual(called, { id: called.id, displayName: full, args, toolsetTool });
      assert.deepEqual(chunks.find(({ updatedVariables }) => updatedVariables)?.updatedVariables, { seen: [full] });
      const names = model.requests
        .at(-1)
        ?.messages.flatMap(({ parts }) => parts.flatMap((part) => ("name" in part ? [part.name] : [])));
      assert.deepEqual(names, [full, full]);
    }
  });

  it("is called from Python by its whole name, by its exported name and by its shortened one", async () => {
    const both = await send("POST", `${app}:executeTool`, { tool: await toolNamed("both_names") });
    assert.deepEqual(both.response, { result: { full: 200, exported: 200, awaited: 200 } });
    const short = await send("POST", `${app}:executeTool`, { tool: await toolNamed("short_name") });
    assert.deepEqual(short.response, { result: 200 });
  });

  it("is executed, listed and mocked by either id", async () => {
    for (const toolId of [UPDATE, exported(UPDATE)]) {
      const toolsetTool = { toolset, toolId };
      const executed = await send("POST", `${app}:executeTool`, { toolsetTool, args });
      assert.deepEqual(executed.response, { method: "PATCH", url });
      assert.equal(executed.toolsetTool.toolId, UPDATE);
      const { tools } = await send("POST", `${toolset}:retrieveTools`, { toolIds: [toolId] });
      assert.deepEqual(
        tools.map(({ name, displayName }: { name: string; displayName: string }) => [name, displayName]),
        [[`${toolset}/tools/${UPDATE}`, full]],
      );
      const mocked = await send("POST", `${app}:executeTool`, {
        tool: await toolNamed("both_names"),
        mockConfig: {
          mockedToolCalls: [
            { toolset: toolsetTool, expectedArgsPattern: { document_id: "d" }, mockResponse: { mocked: true } },
          ],
          unmatchedToolCallBehavior: "FAIL",
        },
      });
      assert.deepEqual(mocked.response, { result: { full: 200, exported: 200, awaited: 200 } });
    }
  });

  it("is hidden from the model by either name", async () => {
    for (const name of [full, exported(full)]) {
      const pythonCode = `def before_model_callback(callback_context, llm_request):\n  llm_request.config.hide_tool("${name}")\n`;
      await send("PATCH", `${agent}?updateMask=beforeModelCallbacks`, { beforeModelCallbacks: [{ pythonCode }] });
      model.extend(say("Hello."));
      await turn(`hidden-${name.length}`, "Hello");
      assert.deepEqual(
        model.requests.at(-1)?.tools.map((tool) => tool.name),
        ["both_names", "short_name", `apply_api_${LIST}`],
      );
    }
  });

  it("is named exactly where two ids differ in underscores only", async () => {
    for (const [toolId, method] of [
      ["twin__get", "GET"],
      ["twin___get", "POST"],
    ]) {
      const { response } = await send("POST", `${app}:executeTool`, { toolsetTool: { toolset, toolId } });
      assert.equal(response.method, method);
    }
  });
});

async function toolNamed(displayName: string): Promise<string> {
  const { tools } = await send("GET", `${app}/tools`);
  return tools.find((tool: { displayName: string }) => tool.displayName === displayName).name;
}
