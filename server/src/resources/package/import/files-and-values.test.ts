import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testPackages } from "../__fixtures__/memory-tree.ts";
import { importRequest } from "../__fixtures__/package-requests.ts";
import { APP, imported, rejectedImport, shop } from "../__fixtures__/shop.ts";

describe("Files that cannot be parsed", () => {
  it("fail the import when the app needs them, each with its line and column", async () => {
    const texts = shop({
      "agents/Root/Root.json": '{\n  "displayName" "Root"\n}',
      "tools/look/look.json": "{",
      "app.json": "",
    });
    assert.equal(
      await rejectedImport(texts),
      "app.json:1:1: Not valid JSON: value expected; " +
        "agents/Root/Root.json:2:17: Not valid JSON: colon expected; " +
        "tools/look/look.json:1:2: Not valid JSON: close brace expected; " +
        "evaluations/E/E.json: golden.turns[0].steps[0].expectation.toolCall.tool: needs Tool 'look'.",
    );
  });

  it("and texts that a manifest names but the package lacks leave out their resource", async () => {
    const { app, warnings } = await imported(
      shop({
        "tools/look/look.json": '{"pythonFunction": {"name": "look", "pythonCode": "./tools/look/missing.py"}}',
        "tools/broken/broken.yaml": "displayName: Find it\n: x\n- y",
        "agents/Root/Root.json": '{"displayName": "Root", "tools": ["look", "Find it", "end_session"]}',
      }),
    );
    assert.deepEqual(app.tools, []);
    assert.deepEqual(app.agents[0]?.tools, [`${APP}/tools/end_session`]);
    assert.deepEqual(
      warnings.map((warning) => warning.replace(/(Not valid YAML): .*/, "$1")),
      [
        "Tool 'Find it' was removed due to import error: tools/broken/broken.yaml:3:1: Not valid YAML",
        "Tool 'look' was removed due to import error: tools/look/look.json: pythonFunction.pythonCode: The package has no file './tools/look/missing.py'.",
        "agents/Root/instruction.txt: is not used by any manifest and was ignored.",
        "Evaluation 'E' was removed due to import error: evaluations/E/E.json: golden.turns[0].steps[0].expectation.toolCall.tool: needs Tool 'look'.",
        "agents/Root/Root.json: tools[0]: the reference to Tool 'look' was removed with it.",
        "agents/Root/Root.json: tools[1]: the reference to Tool 'Find it' was removed with it.",
      ],
    );
  });

  it("are not found outside the package", async () => {
    const texts = shop({ "agents/Root/Root.json": '{"displayName": "Root", "instruction": "../../etc/hosts.txt"}' });
    assert.equal(
      await rejectedImport(texts),
      "app.json: rootAgent: 'Root' cannot be imported; " +
        "agents/Root/Root.json: instruction: The package has no file '../../etc/hosts.txt'.",
    );
  });
});

describe("Texts of a package", () => {
  it("can be in the manifest, with a warning", async () => {
    const { app, warnings } = await imported(
      shop({
        "agents/Root/Root.json":
          '{"displayName": "Root", "tools": ["look"], "instruction": "Help people.\\nSee notes.txt"}',
      }),
    );
    assert.equal(app.agents[0]?.instruction, "Help people.\nSee notes.txt");
    assert.deepEqual(warnings, [
      "agents/Root/Root.json: instruction: has the text itself; a package has the path of a text file here.",
      "agents/Root/instruction.txt: is not used by any manifest and was ignored.",
    ]);
  });

  it("can share a file, under any name", async () => {
    const { app } = await imported(
      shop({
        "agents/Root/Root.json":
          '{"displayName": "Root", "beforeToolCallbacks": [{"pythonCode": "./shared/hook.py"}, {"pythonCode": "shared/hook.py"}]}',
        "shared/hook.py": "x = 1",
      }),
    );
    assert.deepEqual(
      app.agents[0]?.beforeToolCallbacks.map(({ callback }) => callback.value),
      ["x = 1", "x = 1"],
    );
  });

  it("in Python that does not load are imported, with file, line and column", async () => {
    const { packages, tree } = testPackages({
      inspectPython: async (code) =>
        code.startsWith("def")
          ? { kind: "module", functions: [] }
          : { kind: "broken", type: "SyntaxError", message: "invalid syntax", line: 3, column: 7 },
    });
    const texts = shop({
      "agents/Root/Root.json":
        '{"displayName": "Root", "tools": ["look"], "beforeModelCallbacks": [{"pythonCode": "agents/Root/hook.py"}]}',
      "agents/Root/hook.py": "oops",
    });
    const { name, warnings } = await packages.importApp(await importRequest(texts));
    assert.deepEqual(warnings.slice(1), [
      "agents/Root/hook.py:3:7: SyntaxError: invalid syntax (beforeModelCallbacks[0].pythonCode). It was imported, but it does not load.",
    ]);
    assert.equal((await tree.readTree(name)).agents[0]?.beforeModelCallbacks.length, 1);
  });

  it("checks the Python of many tools a few at a time, because the sandbox refuses a crowd", async () => {
    let running = 0;
    const inspectPython = async () => {
      running += 1;
      if (running > 8) throw new Error("too many calls wait");
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { kind: "module" as const, functions: [] };
    };
    const tools = Array.from({ length: 300 }, (_, index): readonly [string, string][] => [
      [
        `tools/t${index}/t${index}.json`,
        `{"name": "t${index}", "displayName": "t${index}", "pythonFunction": {"name": "t${index}", "pythonCode": "tools/t${index}/a.py"}}`,
      ],
      [`tools/t${index}/a.py`, `def t${index}() -> dict:\n    return {}\n`],
    ]);
    const { packages } = testPackages({ inspectPython });
    const { warnings } = await packages.importApp(await importRequest(shop(Object.fromEntries(tools.flat()))));
    assert.deepEqual(warnings, []);
  });

  it("are imported unchecked while the sandbox is out of order", async () => {
    const { packages } = testPackages({ inspectPython: async () => Promise.reject(new Error("no guest")) });
    const { warnings } = await packages.importApp(await importRequest(shop()));
    assert.deepEqual(warnings, ["tools/look/code.py: could not be checked (pythonFunction.pythonCode): no guest"]);
  });
});

describe("environment.json", () => {
  const store = (name: string) =>
    `{"dataStoreTool": {"name": "docs", "dataStoreSource": {"dataStore": {"name": "${name}"}}}}`;

  it("fills placeholders by display name or its file-safe form, in either spelling of keys", async () => {
    const { app, warnings } = await imported(
      shop({
        "toolsets/api_v1/api_v1.json":
          '{"displayName": "api v1", "openApiToolset": {"openApiSchema": "toolsets/api_v1/s.json"}}',
        "toolsets/api_v1/s.json": '{"servers": [{"url": "$env_var"}]}',
        "tools/docs/docs.json": store("$env_var"),
        "environment.json":
          '{"toolsets": {"api_v1": {"open_api_toolset": {"url": "https://api"}}}, "tools": {"docs": {"dataStoreTool": {"dataStoreSource": {"dataStore": {"name": "ds"}}}}}}',
      }),
    );
    assert.deepEqual(warnings, []);
    const docs = app.tools.find(({ displayName }) => displayName === "docs")?.toolType;
    assert.ok(docs?.case === "dataStoreTool" && docs.value.searchSource.case === "dataStoreSource");
    assert.equal(docs.value.searchSource.value.dataStore?.name, "ds");
    const api = app.toolsets[0]?.toolsetType;
    assert.equal(api?.case === "openApiToolset" && api.value.openApiSchema, '{"servers": [{"url": "https://api"}]}');
  });

  it("keeps placeholders without a value and warns of unused values", async () => {
    const { app, warnings } = await imported(
      shop({
        "app.json": '{"displayName": "Shop", "loggingSettings": {"audioRecordingConfig": {"gcsBucket": "$env_var"}}}',
        "tools/docs/docs.json": store("real"),
        "toolsets/api/api.json":
          '{"displayName": "api", "openApiToolset": {"openApiSchema": "toolsets/api/s.yaml", "url": "https://api"}}',
        "toolsets/api/s.yaml": "servers: [{url: https://own}]\n",
        "environment.json":
          '{"tools": {"docs": {"dataStoreTool": {"dataStoreSource": {"dataStore": {"name": "other"}}}}, "none": {"x": 1}}, "cats": {}}',
      }),
    );
    assert.deepEqual(warnings, [
      "environment.json: cats: is not a kind of resource and was ignored.",
      "app.json: loggingSettings.audioRecordingConfig.gcsBucket: is $env_var and environment.json has no value for it.",
      "environment.json: tools.docs.dataStoreTool.dataStoreSource.dataStore.name: was not used: the manifest has no $env_var there.",
      "toolsets/api/api.json: openApiToolset.openApiSchema: the server URL 'https://api' was not used: the schema has no $env_var among its servers.",
      "environment.json: tools.none: is no resource of the package and was ignored.",
    ]);
    assert.equal(app.app.loggingSettings?.audioRecordingConfig?.gcsBucket, "$env_var");
  });
});

describe("Oddities that the hosted product accepts", () => {
  it("are accepted, with a warning where it would drop something", async () => {
    const { app, warnings } = await imported(
      shop({
        "app.json": '{"displayName": "Shop", "rootAgent": "Root", "tools": ["look"], "_comment": "x"}',
        "tools/look/look.json":
          '{"displayName": "look", "description": "x", "python_function": {"name": "look", "python_code": "tools/look/code.py", "description": "From the file"}}',
        "tools/far/far.json": '{"executionType": "ASYNCHRONOUS", "remoteAgentTool": {"name": "far"}}',
        "guardrails/G/G.json": '{"displayName": "G", "enabled": true, "action": {"generativeAnswer": {}}}',
      }),
    );
    assert.deepEqual(warnings, [
      "app.json: tools: is not a known field: it has no effect here, and is kept and exported again.",
      "app.json: _comment: is not a known field: it has no effect here, and is kept and exported again.",
      "tools/look/look.json: description: is not a known field: it has no effect here, and is kept and exported again.",
      "tools/far/far.json: executionType: the hosted product drops ASYNCHRONOUS of a remote agent tool on import; it was kept here.",
    ]);
    assert.equal(app.guardrails[0]?.action?.action.case, "generativeAnswer");
  });
});
