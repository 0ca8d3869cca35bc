import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/library`;
const STORE = "projects/local/locations/global/collections/default_collection/dataStores/handbook";
const TOOLS = ["handbook", "summed", "manuals", "websearch"].map((id) => `${APP}/tools/${id}`);
const RETURNS = "You can send back shoes within 30 days.";

const model = new ScriptedModel();
let server: TestServer;
let folder: string;

/** A search engine at the edge that speaks SearXNG's JSON, and a page to be read as context. */
const engine = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://engine");
  if (url.pathname === "/page.html") {
    response.setHeader("content-type", "text/html");
    response.end("<title>Opening hours</title><script>steal()</script><p>The shop opens at nine.</p>");
    return;
  }
  response.setHeader("content-type", "application/json");
  const results = [
    { title: "Shop news", url: "https://shop.example/news", content: "The shop has a new door." },
    { title: "Rival", url: "https://rival.example/", content: "Buy elsewhere." },
  ];
  response.end(JSON.stringify({ query: url.searchParams.get("q"), results }));
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-search-"));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs", "returns.md"), `---\ncategory: policy\n---\n# Returns\n${RETURNS}\n`);
  await writeFile(
    join(folder, "docs", "boots.md"),
    "---\ncategory: range\n---\n# Boots\nWe sell shoes and boots in winter.\n",
  );
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  const { port } = engine.address() as AddressInfo;
  server = await startTestServer({
    model,
    config: {
      egressAllow: ["127.0.0.1"],
      search: {
        dataStores: { [STORE]: { kind: "folder", folder: join(folder, "docs"), baseUrl: "https://docs.example" } },
        engines: {},
        corpora: {},
        filesFolder: join(folder, "files"),
        indexFolder: join(folder, "index"),
        embeddings: "",
        web: { kind: "searxng", endpoint: `http://127.0.0.1:${port}` },
      },
    },
  });
  await mkdir(join(folder, "files", "local", "us", "library", "manuals"), { recursive: true });
  await writeFile(join(folder, "files", "local", "us", "library", "manuals", "laces.txt"), "Laces are washed by hand.");
  await rest("POST", `${PARENT}/apps?appId=library`, { displayName: "Library" });
  await createTool("handbook", {
    dataStoreTool: {
      name: "handbook",
      dataStoreSource: { dataStore: { name: STORE } },
      filterParameterBehavior: "ALWAYS_INCLUDE",
    },
  });
  await createTool("summed", {
    dataStoreTool: {
      name: "summed",
      dataStoreSource: { dataStore: { name: STORE } },
      modalityConfigs: [
        {
          modalityType: "TEXT",
          rewriterConfig: { modelSettings: { model: "any" } },
          summarizationConfig: {},
          groundingConfig: { groundingLevel: 3 },
        },
      ],
    },
  });
  await createTool("manuals", { fileSearchTool: { name: "manuals" } });
  await createTool("websearch", {
    googleSearchTool: {
      name: "websearch",
      contextUrls: [`http://127.0.0.1:${port}/page.html`],
      excludeDomains: ["rival.example"],
      promptConfig: { textPrompt: "Be brief." },
    },
  });
  await rest("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", instruction: "Help.", tools: TOOLS });
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
});

after(async () => {
  await server[Symbol.asyncDispose]();
  engine.close();
  await rm(folder, { recursive: true, force: true });
  model.assertDone();
});

const rest = restOf(() => server);

const createTool = (id: string, tool: object) => rest("POST", `${APP}/tools?toolId=${id}`, tool);

const execute = (tool: string, args: object, more: object = {}) =>
  rest("POST", `${APP}:executeTool`, { tool: `${APP}/tools/${tool}`, args, ...more });

/** Has the agent call a tool in a turn; the outputs and what the tool answered, as the record has it. */
async function inTurn(tool: string, args: Record<string, string>, ...between: ReturnType<typeof say>[]) {
  model.extend(call(tool, args), ...between, say("There you are."));
  const { outputs } = await rest("POST", `${APP}/sessions/${randomUUID()}:runSession`, { inputs: [{ text: "Hi" }] });
  const diagnostics = outputs.at(-1).diagnosticInfo;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const chunks = diagnostics.messages.flatMap((message: any) => message.chunks);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { response } = chunks.find((chunk: any) => chunk.toolResponse).toolResponse;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const span = diagnostics.rootSpan.childSpans.find((each: any) => each.name === "Tool");
  return { outputs, response, trace: span.attributes };
}

const SNIPPET = { title: "Returns", uri: "https://docs.example/returns.md", text: RETURNS };

describe("a data store tool", () => {
  it("is declared with a query, and with a filter where its setting asks for one", async () => {
    const { inputSchema } = await rest("POST", `${APP}:retrieveToolSchema`, { tool: `${APP}/tools/handbook` });
    assert.deepEqual(Object.keys(inputSchema.properties), ["query", "filter"]);
    assert.deepEqual(inputSchema.required, ["query"]);
    const other = await rest("POST", `${APP}:retrieveToolSchema`, { tool: `${APP}/tools/summed` });
    assert.deepEqual(Object.keys(other.inputSchema.properties), ["query"]);
  });

  it("returns passages with their sources, in a turn and by ExecuteTool", async () => {
    const args = { query: "send back shoes", filter: 'category: ANY("policy")' };
    const executed = await execute("handbook", args);
    assert.deepEqual(executed.response, { snippets: [SNIPPET] });
    assert.deepEqual(executed.citations, { citedChunks: [SNIPPET] });
    const { outputs, response, trace } = await inTurn("handbook", args);
    assert.deepEqual(response, executed.response);
    assert.deepEqual(
      outputs.map(({ text, citations }: { text?: string; citations?: object }) => text ?? citations),
      ["There you are.", { citedChunks: [SNIPPET] }],
    );
    assert.equal(outputs.at(-1).turnCompleted, true);
    assert.deepEqual([trace.query, trace["result count"]], ["send back shoes", 1]);
  });

  it("returns max_results passages, and reports an invalid max_results", async () => {
    const tool = (maxResults: number) => ({ maxResults, dataStoreSource: { dataStore: { name: STORE } } });
    await createTool("few-passages", { dataStoreTool: { name: "few_passages", ...tool(1) } });
    await createTool("many-passages", { dataStoreTool: { name: "many_passages", ...tool(11) } });
    assert.equal((await rest("GET", `${APP}/tools/few-passages`)).dataStoreTool.maxResults, 1);
    assert.equal((await execute("few-passages", { query: "shoes" })).response.snippets.length, 1);
    assert.equal((await execute("many-passages", { query: "shoes" })).response.snippets.length, 2);
    const { validationErrors } = await rest("GET", APP);
    const reported = validationErrors.filter((each: string) => each.includes("max_results"));
    assert.deepEqual(reported, ["Tool 'many_passages': max_results is 11; it must be 1 to 10; 10 is used."]);
    for (const id of ["few-passages", "many-passages"]) await rest("DELETE", `${APP}/tools/${id}`);
  });

  it("rewrites the query, and returns a summary when it is grounded", async () => {
    const answers = [say("return shoes"), say("You have 30 days [1]."), say('{"score": 4.5}')];
    model.extend(...answers);
    const executed = await execute("summed", { query: "can I bring them back" });
    assert.deepEqual(executed.response, { answer: "You have 30 days [1].", snippets: [SNIPPET] });
    const { response, trace } = await inTurn("summed", { query: "can I bring them back" }, ...answers);
    assert.deepEqual(response, executed.response);
    assert.deepEqual([trace.query, trace["grounding score"]], ["return shoes", 4.5]);
  });

  it("returns passages only when the summary is not grounded, and reports that in the trace", async () => {
    const answers = [say("return shoes"), say("You have 90 days [1]."), say('{"score": 1}')];
    const { response, trace } = await inTurn("summed", { query: "can I bring them back" }, ...answers);
    assert.deepEqual(response.answer, undefined);
    assert.deepEqual(response.snippets[0], SNIPPET);
    assert.deepEqual(trace.notes, ["The summary was dropped: its grounding is 1.0, below 3."]);
  });

  it("returns what is wrong with a filter", async () => {
    const { response } = await execute("handbook", { query: "shoes", filter: "category ANY" });
    assert.deepEqual(response, {
      status: "error",
      error: "The filter cannot be read at character 10: 'ANY' is not expected there.",
    });
  });

  it("is cited when an agent that is called as a tool has called it", async () => {
    const librarian = `${APP}/agents/librarian`;
    const tools = [`${APP}/tools/handbook`];
    await rest("POST", `${APP}/agents?agentId=librarian`, { displayName: "Librarian", instruction: "Look up.", tools });
    await createTool("librarian", { agentTool: { name: "librarian", agent: librarian } });
    const all = [...TOOLS, `${APP}/tools/librarian`];
    await rest("PATCH", `${APP}/agents/root-agent?updateMask=tools`, { tools: all });
    const inner = [call("handbook", { query: "send back shoes" }), say("Within 30 days.")];
    const { outputs, response } = await inTurn("librarian", { request: "returns?" }, ...inner);
    assert.deepEqual(response, { response: "Within 30 days." });
    assert.deepEqual(outputs.at(-1).citations.citedChunks[0], SNIPPET);
  });

  it("is not cited when a guardrail replaces the text about it", async () => {
    const guardrail = `${APP}/guardrails/no-days`;
    await rest("POST", `${APP}/guardrails?guardrailId=no-days`, {
      displayName: "No days",
      enabled: true,
      contentFilter: { bannedContentsInAgentResponse: ["30 days"], matchType: "SIMPLE_STRING_MATCH" },
      action: { respondImmediately: { responses: [{ text: "I cannot say." }] } },
    });
    await rest("PATCH", `${APP}/agents/root-agent?updateMask=guardrails`, { guardrails: [guardrail] });
    model.extend(call("handbook", { query: "send back shoes" }), say("Within 30 days."));
    const { outputs } = await rest("POST", `${APP}/sessions/${randomUUID()}:runSession`, { inputs: [{ text: "Hi" }] });
    assert.deepEqual(
      outputs.map(({ text, citations }: { text?: string; citations?: object }) => [text, citations]),
      [["I cannot say.", undefined]],
    );
    await rest("PATCH", `${APP}/agents/root-agent?updateMask=guardrails`, { guardrails: [] });
  });

  it("can be faked and mocked like any tool", async () => {
    const caller = "def ask_handbook() -> dict:\n  return tools.handbook({'query': 'shoes'}).json()\n";
    await createTool("ask_handbook", { pythonFunction: { name: "ask_handbook", pythonCode: caller } });
    const mocked = await execute(
      "ask_handbook",
      {},
      {
        mockConfig: {
          mockedToolCalls: [
            { tool: `${APP}/tools/handbook`, expectedArgsPattern: { query: "shoes" }, mockResponse: { snippets: [] } },
          ],
          unmatchedToolCallBehavior: "FAIL",
        },
      },
    );
    assert.deepEqual(mocked.response, { result: { snippets: [] } });
    const real = await execute("ask_handbook", {});
    assert.deepEqual(real.citations.citedChunks.length, 2);
    await rest("PATCH", `${APP}/tools/handbook?updateMask=toolFakeConfig`, {
      toolFakeConfig: {
        enableFakeMode: true,
        codeBlock: {
          pythonCode:
            "def fake_tool_call(tool: Tool, input: dict, callback_context: CallbackContext) -> dict:\n  return {'snippets': [], 'asked': input['query']}\n",
        },
      },
    });
    model.extend(call("handbook", { query: "shoes" }), say("Nothing."));
    const { outputs } = await rest("POST", `${APP}/sessions/${randomUUID()}:runSession`, {
      config: { useToolFakes: true },
      inputs: [{ text: "Hi" }],
    });
    const text = JSON.stringify(outputs.at(-1).diagnosticInfo.messages);
    assert.match(text, /"response":\{"snippets":\[\],"asked":"shoes"\}|"response":\{"asked":"shoes","snippets":\[\]\}/);
  });

  it("that names an unknown data store reports what to configure, in its errors and in its response", async () => {
    const name = STORE.replace("handbook", "nowhere");
    await createTool("nowhere", { dataStoreTool: { name: "nowhere", dataStoreSource: { dataStore: { name } } } });
    const sentence = `The data store '${name}' is not configured: map it under search.dataStores in the configuration file, or set search.vertex to ask Vertex AI Search`;
    const { response } = await execute("nowhere", { query: "anything" });
    assert.deepEqual(response, { status: "error", error: `${sentence}.` });
    const { validationErrors } = await rest("GET", APP);
    assert.deepEqual(validationErrors, [`Tool 'nowhere': ${sentence}.`]);
    await rest("DELETE", `${APP}/tools/nowhere`);
  });
});

describe("a file search tool", () => {
  it("searches the files in its folder, in a turn and by ExecuteTool", async () => {
    const snippets = [{ title: "laces", uri: "laces.txt", text: "Laces are washed by hand." }];
    const executed = await execute("manuals", { query: "how do I wash laces" });
    assert.deepEqual(executed.response, { snippets });
    const { response, trace } = await inTurn("manuals", { query: "how do I wash laces" });
    assert.deepEqual(response, { snippets });
    assert.equal(trace["result count"], 1);
  });
});

describe("a Google search tool", () => {
  it("returns results of the web and of its context pages, with suggestions and citations", async () => {
    const executed = await execute("websearch", { query: "when does the shop open" });
    const { port } = engine.address() as AddressInfo;
    const page = { title: "Opening hours", uri: `http://127.0.0.1:${port}/page.html`, text: "The shop opens at nine." };
    const news = { title: "Shop news", uri: "https://shop.example/news", text: "The shop has a new door." };
    assert.deepEqual(executed.response, { snippets: [page, news], instructions: "Be brief." });
    assert.deepEqual(
      executed.citations.citedChunks,
      [page, news].map((each) => ({ ...each, requiresAttribution: true })),
    );
    const { outputs, response } = await inTurn("websearch", { query: "when does the shop open" });
    assert.deepEqual(response, executed.response);
    const last = outputs.at(-1).googleSearchSuggestions;
    assert.deepEqual(last, executed.googleSearchSuggestions);
    assert.deepEqual(last.webSearchQueries, [
      {
        query: "when does the shop open",
        uri: `http://127.0.0.1:${port}/search?q=when+does+the+shop+open+-site%3Arival.example`,
      },
    ]);
  });
});
