import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { createLogger, type JsonObject } from "#base";
import { type FileQuery, noSearch, type Search, type StoreQuestion, type WebQuery } from "#search";
import { TEST_APP, toolResource } from "#testing/engine";
import type { ToolContext } from "../contract.ts";
import { createTools } from "../create-tools.ts";

const STORE = "projects/p/locations/global/collections/c/dataStores/s";
const HIT = { store: STORE, uri: "u", title: "t", text: "x", data: {}, score: 1 };

/** A search at the edge that finds one thing and remembers what it was asked. */
function listening() {
  const asked = { stores: [] as StoreQuestion[], files: [] as FileQuery[], web: [] as WebQuery[] };
  const search: Search = {
    ...noSearch,
    stores: async (question) => {
      asked.stores.push(question);
      return { query: question.query, hits: [HIT], answer: "", notes: [] };
    },
    files: async (query) => {
      asked.files.push(query);
      return [HIT];
    },
    web: async (query) => {
      asked.web.push(query);
      return { hits: [HIT], answer: "", suggestionHtml: [], queries: [], unread: [] };
    },
  };
  return { asked, search };
}

type DataStore = Extract<
  NonNullable<MessageInitShape<typeof ToolSchema>["toolType"]>,
  { case: "dataStoreTool" }
>["value"];

function toolOf(toolType: MessageInitShape<typeof ToolSchema>["toolType"], more: Partial<Tool> = {}): Tool {
  return create(ToolSchema, { name: toolResource("lookup"), displayName: "lookup", toolType, ...more } as never);
}

const storeTool = (value: DataStore = {}) =>
  toolOf({
    case: "dataStoreTool",
    value: {
      name: "lookup",
      searchSource: { case: "dataStoreSource", value: { dataStore: { name: STORE } } },
      ...value,
    } as never,
  });

function toolsWith(search: Search) {
  const never = () => Promise.reject(new Error("not asked"));
  return createTools({
    sandbox: { run: never, inspect: never },
    egress: { fetch: never },
    search,
    logger: createLogger("silent"),
  });
}

async function run(tool: Tool, args: Record<string, string>, search: Search, more: Partial<ToolContext> = {}) {
  const context: ToolContext = {
    app: TEST_APP,
    turn: "turn",
    python: { invocationId: "i", agentName: "Root", sessionId: "s", state: {}, userContent: null, events: [] },
    appTools: new Map(),
    useFakes: false,
    depth: 0,
    signal: new AbortController().signal,
    ...more,
  };
  return toolsWith(search).execute(tool, { id: "1", name: "lookup", args }, context);
}

const parametersOf = async (tool: Tool) =>
  Object.keys((await toolsWith(noSearch).declare(tool)).parameters.properties as object);

describe("a data store tool's filter parameter", () => {
  const connector = { case: "dataStoreSource" as const, value: { dataStore: { name: STORE, type: 4 } } };
  const cases: readonly (readonly [string, DataStore, readonly string[]])[] = [
    ["is left out of ordinary data stores by default", {}, ["query"]],
    ["is offered for connectors' data by default", { searchSource: connector } as DataStore, ["query", "filter"]],
    ["is offered where it always is", { filterParameterBehavior: 2 }, ["query", "filter"]],
    ["is left out where it never is", { searchSource: connector, filterParameterBehavior: 3 } as DataStore, ["query"]],
  ];
  for (const [claim, definition, parameters] of cases) {
    it(claim, async () => assert.deepEqual(await parametersOf(storeTool(definition)), parameters));
  }

  it("ignores a filter that was not declared", async () => {
    const { asked, search } = listening();
    await run(storeTool(), { query: "q", filter: "a = 1" }, search);
    assert.equal(asked.stores[0]?.filter, "");
  });
});

describe("a data store tool's modality", () => {
  it("says of snippets_config that nothing acts on it (TOOL-57)", async () => {
    const tool = storeTool({ modalityConfigs: [{}, { snippetsConfig: { enableSnippets: true, maxSnippets: 2 } }] });
    assert.deepEqual(await toolsWith(noSearch).problems(tool), [
      "modality_configs[1].snippets_config has no effect here: the agent gets each passage that was found, 10 or max_results at most",
    ]);
  });

  const modalityConfigs = [
    { modalityType: 1, rewriterConfig: { modelSettings: { model: "text-model" }, prompt: "p" } },
    {
      modalityType: 2,
      rewriterConfig: { disabled: true },
      summarizationConfig: { modelSettings: { temperature: 0.5 } },
      groundingConfig: { groundingLevel: 4 },
    },
  ];
  const stepsIn = async (voice: boolean) => {
    const { asked, search } = listening();
    const events: JsonObject[] = [
      { author: "user", content: { role: "user", parts: [{ text: "I bought shoes" }] } },
      { author: "Root", content: { role: "model", parts: [{ text: "Fine." }, { function_call: { name: "x" } }] } },
    ];
    const python = { invocationId: "i", agentName: "Root", sessionId: "s", state: {}, userContent: null, events };
    await run(storeTool({ modalityConfigs } as DataStore), { query: "q" }, search, {
      voice,
      python,
      model: "agent-model",
    });
    const [question] = asked.stores;
    return { ...question };
  };

  it("is TEXT in chat, with the conversation for the rewriter", async () => {
    const { rewriter, summarizer, groundingLevel, conversation } = await stepsIn(false);
    assert.deepEqual(rewriter, { model: "text-model", prompt: "p" });
    assert.deepEqual([summarizer, groundingLevel], [undefined, undefined]);
    assert.equal(conversation, "User: I bought shoes\nAgent: Fine.");
  });

  it("is AUDIO by voice; a disabled step is skipped, one without a model uses the agent's", async () => {
    const { rewriter, summarizer, groundingLevel } = await stepsIn(true);
    assert.deepEqual(rewriter, undefined);
    assert.deepEqual([summarizer, groundingLevel], [{ model: "agent-model", prompt: "", temperature: 0.5 }, 4]);
  });
});

describe("a data store tool's source", () => {
  it("is an engine with its stores, or stores alone where the engine has no name", async () => {
    const { asked, search } = listening();
    const dataStoreSources = [{ dataStore: { name: STORE }, filter: "a = 1" }];
    const engine = STORE.replace("dataStores/s", "engines/e");
    for (const name of [engine, ""]) {
      const searchSource = { case: "engineSource" as const, value: { engine: name, filter: "f", dataStoreSources } };
      await run(storeTool({ searchSource } as DataStore), { query: "q" }, search);
    }
    const stores = [{ name: STORE, filter: "a = 1" }];
    assert.deepEqual(
      asked.stores.map(({ source }) => source),
      [
        { kind: "engine", engine, stores, filter: "f" },
        { kind: "stores", stores },
      ],
    );
  });
});

describe("a data store tool's boosts", () => {
  const boosted = (spec: object) =>
    storeTool({ boostSpecs: [{ dataStores: [STORE], spec: [{ conditionBoostSpecs: [spec] }] }] } as DataStore);
  const curve = (attributeType: number, ...points: readonly (readonly [string, number])[]) =>
    boosted({
      boostControlSpec: {
        fieldName: "f",
        attributeType,
        controlPoints: points.map(([attributeValue, boostAmount]) => ({ attributeValue, boostAmount })),
      },
    });

  it("are read with their durations, in the order of their control points", async () => {
    const { asked, search } = listening();
    await run(curve(2, ["10D", 0], ["T12H", 0.5]), { query: "q" }, search);
    const points = [
      { at: 43_200_000, amount: 0.5 },
      { at: 864_000_000, amount: 0 },
    ];
    assert.deepEqual(asked.stores[0]?.boosts, [
      { stores: [STORE], condition: "", amount: { kind: "freshness", field: "f", points } },
    ]);
  });

  const path = "boost_specs[0].spec[0].condition_boost_specs[0]";
  const faults: readonly (readonly [Tool, string])[] = [
    [boosted({ condition: "a = 1", boost: 1.5 }), `${path}.boost is 1.5; it must be between -1 and 1`],
    [curve(1, ["cheap", 0]), `${path}.boost_control_spec.control_points[0].attribute_value is 'cheap'; write a number`],
    [
      curve(2, ["5", 0]),
      `${path}.boost_control_spec.control_points[0].attribute_value is '5'; write a duration such as 5D or 3DT12H30M`,
    ],
    [
      curve(1, ["1", 0], ["2", 1], ["3", 0]),
      `${path}.boost_control_spec.control_points rise and fall; a curve must be monotonic`,
    ],
    [curve(0, ["1", 0]), `${path}.boost_control_spec.attribute_type is not set; use NUMERICAL or FRESHNESS`],
  ];
  for (const [tool, problem] of faults) {
    it(`report what is wrong with them: ${problem.slice(path.length + 1)}`, async () => {
      assert.deepEqual(await toolsWith(noSearch).problems(tool), [problem]);
      const { response } = await run(tool, { query: "q" }, listening().search);
      assert.deepEqual(response, { status: "error", error: `The boosts cannot be used: ${problem}.` });
    });
  }
});

describe("every search tool", () => {
  const kinds: readonly Tool[] = [
    storeTool(),
    toolOf({ case: "fileSearchTool", value: { name: "lookup" } }),
    toolOf({ case: "googleSearchTool", value: { name: "lookup" } }),
  ];
  for (const tool of kinds) {
    const kind = tool.toolType.case;
    it(`needs a query (${kind})`, async () => {
      const { response } = await run(tool, { query: " " }, listening().search);
      assert.deepEqual(response, { status: "error", error: "Missing parameter: query" });
    });

    it(`reports that nothing can be searched without search (${kind})`, async () => {
      const { response } = await run(tool, { query: "q" }, noSearch);
      assert.match(String(response.error), /^Nothing can be searched here/);
    });

    it(`stops at its timeout (${kind})`, async () => {
      const forever = () => new Promise<never>(() => {});
      const endless = (query: { readonly signal: AbortSignal }) =>
        Promise.race([
          forever(),
          new Promise<never>((_, reject) => query.signal.addEventListener("abort", () => reject(query.signal.reason))),
        ]);
      const search: Search = { ...noSearch, stores: endless, files: endless, web: endless };
      const timed = toolOf(tool.toolType as never, { timeout: { seconds: 0n, nanos: 20_000_000 } as never });
      const { response } = await run(timed, { query: "q" }, search);
      assert.deepEqual(response, { status: "error", error: "The search took longer than 0.02 s." });
    });
  }
});

describe("a Google search tool", () => {
  it("returns the prompt of its modality as instructions", async () => {
    const promptConfig = { textPrompt: "Read.", voicePrompt: "Speak." };
    const tool = toolOf({ case: "googleSearchTool", value: { name: "lookup", promptConfig } });
    const { asked, search } = listening();
    const responses = [
      (await run(tool, { query: "q" }, search)).response.instructions,
      (await run(tool, { query: "q" }, search, { voice: true })).response.instructions,
    ];
    assert.deepEqual(responses, ["Read.", "Speak."]);
    assert.deepEqual(
      asked.web.map(({ instructions }) => instructions),
      responses,
    );
  });

  it("reports which of its lists are too long", async () => {
    const contextUrls = [...Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`), "ftp://b.example"];
    const tool = toolOf({ case: "googleSearchTool", value: { name: "lookup", contextUrls } });
    assert.deepEqual(await toolsWith(noSearch).problems(tool), [
      "context_urls has 22 entries; only the first 20 are used",
      "context_urls: 'ftp://b.example' is not an http or https URL",
    ]);
  });
});
