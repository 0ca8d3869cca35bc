import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe } from "node:test";
import { call, say } from "#testing";
import { type Loopback, serveLoopback } from "../../src/tools/__fixtures__/loopback.ts";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

const STORE = "projects/test/locations/global/collections/default_collection/dataStores/handbook";
const RETURNS = "You can send back shoes within 30 days.";
const PASSAGE = { title: "Returns", uri: "https://docs.example/returns.md", text: RETURNS };

let folder: string;
let web: Loopback;
const verifiesTurn = turnServer(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-sources-"));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs", "returns.md"), `# Returns\n${RETURNS}\n`);
  web = await serveLoopback(() => ({
    results: [
      { title: "News", url: "https://shop.example/news", content: "The shop has a new door." },
      { title: "Rival", url: "https://rival.example/", content: "Buy elsewhere." },
    ],
  }));
  return {
    search: {
      dataStores: { [STORE]: { kind: "folder", folder: join(folder, "docs"), baseUrl: "https://docs.example" } },
      engines: {},
      corpora: {},
      filesFolder: join(folder, "files"),
      indexFolder: join(folder, "index"),
      embeddings: "",
      web: { kind: "searxng", endpoint: web.origin },
    },
  };
});
after(async () => {
  await web?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const handbook = (more: object = {}) => ({
  agents: { Root: { tools: ["$APP/tools/the-handbook"] } },
  tools: {
    handbook: { dataStoreTool: { name: "handbook", dataStoreSource: { dataStore: { name: STORE } }, ...more } },
  },
});
const looksUp = (id = "call-1") => call("handbook", { query: "send back shoes" }, id);
/** The last function response that the model got. */
const lastResponse = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.at(-1)?.parts.at(-1)?.response;

describe("turns: sources", () => {
  verifiesTurn("shown-citations", {
    app: handbook(),
    model: [looksUp(), looksUp("call-2"), say("Within 30 days.")],
    talk: async ({ say: ask }) => {
      const { outputs } = await ask("May I return them?");
      const shown = outputs.flatMap(({ text, citations }) => text || citations || []);
      assert.deepEqual(shown, ["Within 30 days.", { citedChunks: [PASSAGE] }]);
    },
  });

  verifiesTurn("shown-citations-nested", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-look-up"] } },
      tools: {
        ...handbook().tools,
        "look up": {
          pythonFunction: {
            name: "look_up",
            pythonCode:
              'def look_up() -> dict:\n    """Looks up."""\n    tools.handbook({"query": "send back shoes"})\n    return {}\n',
          },
        },
      },
    },
    model: [call("look_up"), say("Within 30 days.")],
    talk: async ({ say: ask }) => {
      const { outputs } = await ask("May I return them?");
      assert.deepEqual(outputs.find(({ citations }) => citations)?.citations, { citedChunks: [PASSAGE] });
    },
  });

  verifiesTurn("shown-citations-unused", {
    app: handbook(),
    model: [looksUp(), say("Within 30 days."), say("You are welcome.")],
    talk: async ({ say: ask }) => {
      await ask("May I return them?");
      assert.ok((await ask("Thank you")).outputs.every(({ citations }) => !citations));
    },
  });

  verifiesTurn("shown-grounding", {
    app: handbook({
      modalityConfigs: [
        {
          modalityType: "TEXT",
          summarizationConfig: {},
          groundingConfig: { groundingLevel: 3 },
        },
      ],
    }),
    model: [
      ...[looksUp(), say("You have 30 days [1]."), say('{"score": 4.5}'), say("30 days.")],
      ...[looksUp("call-2"), say("You have 90 days [1]."), say('{"score": 1}'), say("Let me see.")],
    ],
    talk: async ({ say: ask, model }) => {
      await ask("May I return them?");
      assert.deepEqual(lastResponse(model.requests[3]), { answer: "You have 30 days [1].", snippets: [PASSAGE] });
      await ask("Until when?");
      assert.deepEqual(lastResponse(model.requests[7]), { snippets: [PASSAGE] });
    },
  });

  verifiesTurn("shown-filter", {
    app: handbook({ filterParameterBehavior: "ALWAYS_INCLUDE" }),
    model: [say("Hello.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      const parameters = model.requests[0]?.tools[0]?.parameters as Json;
      assert.deepEqual([Object.keys(parameters.properties), parameters.required], [["query", "filter"], ["query"]]);
    },
  });

  verifiesTurn("shown-suggestions", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-web"] } },
      tools: { web: { googleSearchTool: { name: "web", excludeDomains: ["rival.example"] } } },
    },
    model: [call("web", { query: "shop news" }), say("There is a new door.")],
    talk: async ({ say: ask, model }) => {
      const { outputs } = await ask("What is new?");
      const suggested = outputs.find(({ googleSearchSuggestions }) => googleSearchSuggestions)?.googleSearchSuggestions;
      assert.equal(suggested?.webSearchQueries[0].query, "shop news");
      assert.match(JSON.stringify(model.requests), /shop\.example/);
      assert.doesNotMatch(JSON.stringify(model.requests), /rival\.example/);
    },
  });
});
