import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { callServer } from "../python/call-server.ts";
import { contentOf, importTexts, LOCATION, resource, type Texts } from "./package-files.ts";

/** A package with one of every fault that a resource can be left out for (PKG-28). */
const CODE = "def look() -> dict:\n    return {}\n";
const tool = (name: string, more: object = {}) =>
  JSON.stringify({ displayName: name, pythonFunction: { name, pythonCode: `tools/look/code.py` }, ...more });

const ODD: Texts = {
  "app.json": '{"displayName": "Odd", "rootAgent": "Root"}',
  "agents/Root/Root.json": JSON.stringify({
    name: "root",
    displayName: "Root",
    instruction: "agents/Root/instruction.txt",
    tools: ["look", "end_session", "typed", "Broken tool", "textless", "stray", "twins", "unknown"],
    toolsets: [{ toolset: "yaml" }],
  }),
  "agents/Root/instruction.txt": "Help.",
  "tools/look/look.json": tool("look"),
  "tools/look/look.yaml": "displayName: look\n",
  "tools/look/code.py": CODE,
  "tools/again/again.json": tool("look"),
  "tools/end_session/end_session.json": tool("end_session"),
  "tools/transfer/transfer.json": tool("transfer_to_agent"),
  "tools/typed/typed.json": tool("typed", { timeout: 7 }),
  "tools/broken/broken.json": '{"displayName": "Broken tool", ',
  "tools/textless/textless.json": '{"pythonFunction": {"name": "textless", "pythonCode": "tools/textless/code.py"}}',
  "tools/stray/notes.txt": "x",
  "tools/twins/one.json": tool("twins"),
  "tools/twins/two.json": tool("twins"),
  "tools/unknown/unknown.json": '{"displayName": "unknown", "holographicTool": {"name": "unknown"}}',
  "tools/derived/derived.json": '{"displayName": "derived", "pythonFunction": {"pythonCode": "tools/look/code.py"}}',
  "tools/README.md": "x",
  "toolsets/yaml/yaml.yaml": "a: [1\n",
  "evaluations/Long/Long.json": JSON.stringify({
    displayName: "Long",
    golden: { turns: Array.from({ length: 101 }, () => ({ steps: [{ userInput: { text: "Hi" } }] })) },
  }),
  "evaluationDatasets/All/All.json": '{"displayName": "All", "evaluations": ["Long"]}',
  "pythonEnvFiles/pythonEnvFiles.json": "{",
};

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

const removed = (what: string, reason: string) => `${what} was removed due to import error: ${reason}.`;

describe("A package with odd manifests", () => {
  it("is imported without them, with a warning that names each file", async () => {
    const warnings = await importTexts(server, "odd", ODD);
    const expected = [
      removed(
        "Tool 'look'",
        "tools/again/again.json: has the display name 'look' of tools/look/look.json; a package has one Tool of a name",
      ),
      removed(
        "Tool 'end_session'",
        "tools/end_session/end_session.json: 'end_session' is the name of a system tool, which every app has without a manifest",
      ),
      removed(
        "Tool 'transfer_to_agent'",
        "tools/transfer/transfer.json: 'transfer_to_agent' is the name of a system tool, which every app has without a manifest",
      ),
      removed("Tool 'Broken tool'", "tools/broken/broken.json:1:32: Not valid JSON: property name expected"),
      removed(
        "Tool 'textless'",
        "tools/textless/textless.json: pythonFunction.pythonCode: The package has no file 'tools/textless/code.py'",
      ),
      removed(
        "Tool 'twins'",
        "tools/twins/: has several manifests (tools/twins/one.json, tools/twins/two.json) and none is 'twins.json'",
      ),
      removed(
        "Tool 'unknown'",
        "tools/unknown/unknown.json: 'holographicTool' is not a type of tool that is known here",
      ),
      removed(
        "Evaluation 'Long'",
        "evaluations/Long/Long.json: golden.turns: A golden has at most 100 turns; this one has 101",
      ),
      "tools/look/look.yaml: is not used by any manifest and was ignored.",
      "tools/stray/: has no manifest 'stray.json' and was ignored.",
      "tools/README.md: is not used by any manifest and was ignored.",
      "pythonEnvFiles/pythonEnvFiles.json: is expected to be empty; its content was ignored.",
    ];
    assert.deepEqual(
      expected.filter((warning) => !warnings.includes(warning)),
      [],
      warnings.join("\n"),
    );
    for (const pattern of [
      /^Tool 'typed'.* tools\/typed\/typed\.json: timeout: /,
      /^Toolset 'yaml'.* toolsets\/yaml\/yaml\.yaml:2:1: /,
      /^Tool 'derived'.* tools\/derived\/derived\.json: displayName: 'look' is already the display name of tools\/look\/look\.json/,
    ])
      assert.ok(
        warnings.some((warning) => pattern.test(warning)),
        `${pattern}\n${warnings.join("\n")}`,
      );
    assert.deepEqual(
      warnings.filter((warning) => /holographicTool.* kept/.test(warning)),
      [],
    );
    const { tools = [], toolsets = [] } = await resource(server, "odd/agents/root");
    const names = (tools as string[]).map((name) => name.slice(name.lastIndexOf("/") + 1));
    assert.deepEqual([names.length, names[1], toolsets], [2, "end_session", []]);
  });

  it("is refused with all faults at once, each with its file, where the app cannot do without them", async () => {
    const appContent = await contentOf({
      ...ODD,
      "app.json": '{"displayName": "Odd", "rootAgent": "Root", "guardrails": ["Gone"], "pinned": "never"}',
      "agents/A/A.json": '{"displayName": "A", "childAgents": ["Nobody"]}',
      "agents/Root/Root.json": "{",
    });
    const body = { appId: "refused", appContent };
    const operation = await callServer(server, "POST", `${LOCATION}/apps:importApp`, body);
    const { error } = Object(await finished(operation));
    const fields = Object(error.details[0]).fieldViolations.map(({ field }: { field: string }) => field);
    assert.deepEqual(fields.slice(0, 3), [
      "app.json: pinned",
      "agents/A/A.json: childAgents[0]",
      "agents/Root/Root.json:1:2",
    ]);
    assert.deepEqual(
      fields.filter(
        (field: string) =>
          !Object.keys({ ...ODD, "agents/A/A.json": "" }).some((path) => field.startsWith(path)) &&
          field !== "tools/twins/",
      ),
      [],
    );
    assert.equal(error.status ?? error.code, 3);
  });

  const TREES: Readonly<
    Record<string, { readonly children: Readonly<Record<string, string>>; readonly faults: string[] }>
  > = {
    "two parents": {
      children: { A: "C", B: "C" },
      faults: [
        "agents/A/A.json: childAgents[0]: 'agents/C/C.json' already is a child of 'B' (agents/B/B.json); an agent has at most one parent.",
        "agents/B/B.json: childAgents[0]: 'agents/C/C.json' already is a child of 'A' (agents/A/A.json); an agent has at most one parent.",
      ],
    },
    "a circle": {
      children: { B: "C", C: "B" },
      faults: [
        "agents/B/B.json: childAgents[0]: 'agents/C/C.json' is above the agent; an agent cannot be its own descendant.",
        "agents/C/C.json: childAgents[0]: 'agents/B/B.json' is above the agent; an agent cannot be its own descendant.",
      ],
    },
  };
  for (const [tree, { children, faults }] of Object.entries(TREES)) {
    it(`names the files and never an id where the rules of the app refuse it, for ${tree}`, async () => {
      const agent = (name: string) => JSON.stringify({ displayName: name, childAgents: [children[name] ?? []].flat() });
      const appContent = await contentOf({
        "app.json": '{"displayName": "Parents", "rootAgent": "A"}',
        ...Object.fromEntries(["A", "B", "C"].map((name) => [`agents/${name}/${name}.json`, agent(name)])),
      });
      const body = { appId: "parents", appContent };
      const { error } = Object(await finished(await callServer(server, "POST", `${LOCATION}/apps:importApp`, body)));
      const told = Object(error.details[0]).fieldViolations.map(
        ({ field, description }: { field: string; description: string }) => `${field}: ${description}`,
      );
      assert.deepEqual(told.toSorted(), faults);
    });
  }
});

describe("A guardrail that cannot be imported and that is listed (PKG-34, GUARD-29)", () => {
  const guard = (more: object) =>
    JSON.stringify({
      displayName: "Guard",
      enabled: true,
      contentFilter: { bannedContents: ["bomb"], matchType: "SIMPLE_STRING_MATCH" },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
      ...more,
    });
  const code = {
    contentFilter: undefined,
    codeCallback: { beforeAgentCallback: { pythonCode: "guardrails/Guard/x.py" } },
  };
  const CASES: Readonly<Record<string, Texts>> = {
    "is no JSON": { "guardrails/Guard/Guard.json": "{" },
    "has a value of the wrong type": { "guardrails/Guard/Guard.json": guard({ contentFilter: { bannedContents: 1 } }) },
    "lacks its code": { "guardrails/Guard/Guard.json": guard(code) },
    "has no manifest": { "guardrails/Guard/notes.txt": "x" },
    "needs an agent that is left out": {
      "agents/Broken/Broken.json": "{",
      "guardrails/Guard/Guard.json": guard({ action: { transferAgent: { agent: "Broken" } } }),
    },
    "is of an unknown type": {
      "guardrails/Guard/Guard.json": guard({ contentFilter: undefined, holographicGuardrail: { strict: true } }),
    },
  };
  for (const [fault, files] of Object.entries(CASES)) {
    it(`lets nothing pass when it ${fault}, and the app says so, until it is mended`, async () => {
      const appId = `guarded-${Object.keys(CASES).indexOf(fault)}`;
      const warnings = await importTexts(server, appId, {
        "app.json": '{"displayName": "Guarded", "rootAgent": "Root", "guardrails": ["Guard"]}',
        "agents/Root/Root.json": '{"displayName": "Root", "instruction": "Answer."}',
        ...files,
      });
      const app = `${LOCATION}/apps/${appId}`;
      const session = `${app}/sessions/guarded-one`;
      const body = { config: { session }, inputs: [{ text: "bomb" }] };
      const url = `${server.address}/v1beta/${session}:runSession`;
      const ask = async () => Object(await (await fetch(url, { method: "POST", body: JSON.stringify(body) })).json());
      const { error } = await ask();
      assert.deepEqual([error.status, error.details[0].reason], ["FAILED_PRECONDITION", "GUARDRAIL_TYPE_MISSING"]);
      const { validationErrors, guardrails } = Object(await resource(server, appId));
      assert.match(String(validationErrors), /^Guardrail 'Guard' .*, so turns of agents that list it fail;/);
      assert.ok(warnings.includes(validationErrors[0]), warnings.join("\n"));
      const mended = JSON.parse(guard({}));
      await resource(server, guardrails[0].slice(`${LOCATION}/apps/`.length), {
        contentFilter: mended.contentFilter,
        action: mended.action,
      });
      assert.equal((await ask()).outputs[0].text, "No.");
    });
  }

  it("says so, too, when it can be imported and has an expression that cannot be used (GUARD-29)", async () => {
    const contentFilter = { bannedContents: ["card \\d+", "(unclosed"], matchType: "REGEXP_MATCH" };
    const warnings = await importTexts(server, "expressions", {
      "app.json": '{"displayName": "Expressions", "rootAgent": "Root", "guardrails": ["Guard"]}',
      "agents/Root/Root.json": '{"displayName": "Root", "instruction": "Answer."}',
      "guardrails/Guard/Guard.json": guard({ contentFilter }),
    });
    const { validationErrors } = Object(await resource(server, "expressions"));
    assert.match(
      validationErrors[0],
      /^Guardrail 'Guard', content_filter: The expression '\(unclosed' cannot be used: .*; so nothing passes this guardrail\.$/,
    );
    assert.ok(warnings.includes(validationErrors[0]));
  });

  it("is left out when nothing lists it, or its manifest switches it off", async () => {
    await importTexts(server, "unguarded", {
      "app.json": '{"displayName": "Unguarded", "rootAgent": "Root", "guardrails": ["Off"]}',
      "agents/Root/Root.json": '{"displayName": "Root", "instruction": "Answer."}',
      "guardrails/Off/Off.json": '{"displayName": "Off", "contentFilter": {"bannedContents": 1}}',
      "guardrails/Unlisted/Unlisted.json": "{",
    });
    const app = `${LOCATION}/apps/unguarded`;
    assert.deepEqual(await callServer(server, "GET", `${app}/guardrails`), {});
    assert.equal(Object(await callServer(server, "GET", app)).guardrails, undefined);
  });
});

async function finished(operation: object): Promise<object> {
  let latest = Object(operation);
  while (latest.done === undefined) latest = await callServer(server, "GET", latest.name);
  return latest;
}
