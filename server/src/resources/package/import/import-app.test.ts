import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  type ImportAppRequest,
  ImportAppRequest_ImportOptionsSchema,
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { Code, ConnectError } from "#status";
import type { AppPackages } from "../../contract.ts";
import { testPackages } from "../testing/memory-tree.ts";
import { importRequest, PARENT, type Texts, zipOf } from "../testing/package-requests.ts";

const APP = `${PARENT}/apps/shop`;

/** The smallest app with one agent, one tool and one evaluation; `more` adds files or replaces them. */
function shop(more: Texts = {}): Texts {
  return {
    "app.json": '{"displayName": "Shop", "rootAgent": "Root"}',
    "agents/Root/Root.json":
      '{"displayName": "Root", "instruction": "agents/Root/instruction.txt", "tools": ["look", "end_session"]}',
    "agents/Root/instruction.txt": "Help.",
    "tools/look/look.json":
      '{"displayName": "look", "pythonFunction": {"name": "look", "pythonCode": "tools/look/code.py"}}',
    "tools/look/code.py": "def look() -> dict:\n    return {}\n",
    "evaluations/E/E.json":
      '{"displayName": "E", "golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": "look"}}}]}]}}',
    ...more,
  };
}

function options(conflictResolutionStrategy: Strategy, validateOnly = false): Partial<ImportAppRequest> {
  const importOptions = create(ImportAppRequest_ImportOptionsSchema, { conflictResolutionStrategy, validateOnly });
  return { appId: "shop", importOptions };
}

async function refusal(packages: AppPackages, request: ImportAppRequest): Promise<string> {
  const error: unknown = await packages.importApp(request).then(
    () => assert.fail("the import went through"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError, String(error));
  assert.equal(error.code, Code.InvalidArgument);
  return error.rawMessage;
}

/** Imports into an empty server and answers what was written and said. */
async function imported(texts: Texts, fields: Partial<ImportAppRequest> = { appId: "shop" }) {
  const { tree, packages } = testPackages();
  const { name, warnings } = await packages.importApp(importRequest(texts, fields));
  return { warnings, name, app: await tree.readTree(name) };
}

async function refused(texts: Texts, fields: Partial<ImportAppRequest> = { appId: "shop" }): Promise<string> {
  const { tree, packages } = testPackages();
  const message = await refusal(packages, importRequest(texts, fields));
  assert.equal(tree.writes.length, 0);
  return message;
}

describe("ImportApp into a new app", () => {
  it("makes ids where the package has none, and writes once", async () => {
    const { tree, packages } = testPackages();
    const { name, warnings } = await packages.importApp(importRequest(shop()));
    assert.equal(name, `${PARENT}/apps/00000000-0000-4000-8000-000000000001`);
    assert.deepEqual(warnings, []);
    const { app, agents, tools } = await tree.readTree(name);
    assert.equal(app.displayName, "Shop");
    assert.equal(agents[0]?.name, `${name}/agents/00000000-0000-4000-8000-000000000002`);
    assert.deepEqual(agents[0]?.tools, [tools[0]?.name, `${name}/tools/end_session`]);
    assert.deepEqual(tree.writes, [{ ignoreLock: false, validateOnly: false, deleteOthers: [] }]);
  });

  it("takes the display name of the request, with a time stamp when another app has it", async () => {
    const { packages, tree } = testPackages();
    const first = await packages.importApp(importRequest(shop(), { displayName: "Mine" }));
    assert.equal((await tree.readTree(first.name)).app.displayName, "Mine");
    const second = await packages.importApp(importRequest(shop(), { displayName: "Mine" }));
    assert.equal((await tree.readTree(second.name)).app.displayName, "Mine 2026-09-01T12:30:10.000Z");
    assert.deepEqual(second.warnings, [
      "Another app is called 'Mine', so this one became 'Mine 2026-09-01T12:30:10.000Z'.",
    ]);
  });

  it("keeps ids of manifests, and makes others for those that are no ids or taken", async () => {
    const { app, warnings } = await imported(
      shop({
        "agents/Root/Root.json": '{"name": "projects/x/locations/y/apps/z/agents/root_agent", "displayName": "Root"}',
        "agents/B/B.json": '{"name": "root_agent", "displayName": "B"}',
        "agents/C/C.json": '{"name": "no id!", "displayName": "C"}',
        "agents/Root/instruction.txt": "",
      }),
    );
    assert.deepEqual(
      app.agents.map(({ name, displayName }) => [displayName, name.slice(APP.length)]),
      [
        ["B", "/agents/root_agent"],
        ["C", "/agents/00000000-0000-4000-8000-000000000001"],
        ["Root", "/agents/00000000-0000-4000-8000-000000000002"],
      ],
    );
    assert.deepEqual(warnings.slice(1), [
      "agents/C/C.json: name: 'no id!' cannot be an id; a new one was made.",
      "agents/Root/Root.json: name: the id 'root_agent' belongs to another Agent; a new id was made.",
    ]);
  });

  it("is refused without a zip, a location or a usable id, all at once", async () => {
    const { packages } = testPackages();
    const wrong = create(ImportAppRequestSchema, {
      parent: "here",
      appId: "a/b",
      app: { case: "gcsUri", value: "gs://b/o" },
    });
    assert.equal(
      await refusal(packages, wrong),
      "parent: 'here' is not of the form projects/{project}/locations/{location}.; " +
        "gcs_uri: This server cannot read Cloud Storage; send the zip's bytes in app_content.; " +
        "app_id: 'a/b' is not a valid id.",
    );
    const file = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "gcsUri", value: "file:/etc/passwd" } });
    assert.match(await refusal(packages, file), /^gcs_uri: This server cannot read Cloud Storage/);
    const empty = create(ImportAppRequestSchema, { parent: PARENT });
    assert.equal(await refusal(packages, empty), "app_content: The zip to import is missing.");
  });

  it("is refused when nobody names the app", async () => {
    assert.equal(
      await refused(shop({ "app.json": "{}" })),
      "display_name: Neither the request nor the package names the app.",
    );
  });
});

describe("ImportApp into an existing app", () => {
  const FIRST = shop({
    "agents/Old/Old.json": '{"name": "old", "displayName": "Old"}',
    "agents/Root/Root.json": '{"name": "root", "displayName": "Root", "tools": ["look"]}',
    "tools/look/look.json":
      '{"name": "look-1", "pythonFunction": {"name": "look", "pythonCode": "tools/look/code.py"}}',
    "evaluations/E/E.json": '{"name": "e-1", "displayName": "E", "tags": ["old"]}',
    "evaluations/F/F.json":
      '{"name": "f-1", "displayName": "F", "golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": "look"}}}]}]}}',
  });

  async function twoImports(second: Texts, fields: Partial<ImportAppRequest>) {
    const { tree, packages } = testPackages();
    await packages.importApp(importRequest(FIRST, { appId: "shop" }));
    const response = await packages.importApp(importRequest(second, fields));
    return { response, tree, app: await tree.readTree(APP) };
  }

  const names = (resources: readonly { name: string; displayName: string }[]) =>
    resources.map(({ name, displayName }) => `${displayName}=${name.slice(name.lastIndexOf("/") + 1)}`);

  for (const strategy of [Strategy.REPLACE, Strategy.CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED]) {
    it(`replaces what has the same display name and leaves the rest (${Strategy[strategy]})`, async () => {
      const next = shop({
        "app.json": '{"displayName": "Renamed", "rootAgent": "Root", "description": "new"}',
        "agents/Root/Root.json":
          '{"name": "another-id", "displayName": "Root", "tools": ["look"], "childAgents": ["Old"]}',
        "evaluations/E/E.json": '{"displayName": "E", "tags": ["new"]}',
      });
      const { app } = await twoImports(next, options(strategy));
      assert.deepEqual(names(app.agents), ["Old=old", "Root=root"]);
      assert.deepEqual(names(app.tools), ["look=look-1"]);
      assert.deepEqual(names(app.evaluations), ["F=f-1", "E=e-1"]);
      assert.deepEqual(app.evaluations.find(({ displayName }) => displayName === "E")?.tags, ["new"]);
      assert.deepEqual(app.agents.find(({ displayName }) => displayName === "Root")?.childAgents, [
        `${APP}/agents/old`,
      ]);
      assert.deepEqual([app.app.displayName, app.app.description], ["Shop", "new"]);
    });
  }

  it("deletes agents and tools first when it overwrites, but no evaluation, whose references follow", async () => {
    const next = shop({ "evaluations/E/E.json": '{"displayName": "E"}' });
    const { app } = await twoImports(next, options(Strategy.OVERWRITE));
    assert.deepEqual(names(app.agents), ["Root=00000000-0000-4000-8000-000000000001"]);
    assert.deepEqual(names(app.tools), ["look=00000000-0000-4000-8000-000000000002"]);
    assert.deepEqual(names(app.evaluations), ["E=e-1", "F=f-1"]);
    const { inputs } = app.evaluations.find(({ displayName }) => displayName === "F") ?? {};
    const step = inputs?.case === "golden" ? inputs.value.turns[0]?.steps[0]?.step : undefined;
    const condition = step?.case === "expectation" ? step.value.condition : undefined;
    assert.equal(condition?.case === "toolCall" && condition.value.toolIdentifier.value, app.tools[0]?.name);
  });

  it("cannot refer to what an overwrite deletes", async () => {
    const { tree, packages } = testPackages();
    await packages.importApp(importRequest(FIRST, { appId: "shop" }));
    const next = shop({ "agents/Root/Root.json": '{"displayName": "Root", "childAgents": ["Old"]}' });
    assert.equal(
      await refusal(packages, importRequest(next, options(Strategy.OVERWRITE))),
      "agents/Root/Root.json: childAgents[0]: Reference 'Old' of type 'ces.googleapis.com/Agent' not found.",
    );
    assert.equal(tree.writes.length, 1);
  });

  it("does not rename it", async () => {
    const { packages } = testPackages();
    await packages.importApp(importRequest(shop(), { appId: "shop" }));
    assert.equal(
      await refusal(packages, importRequest(shop(), { appId: "shop", displayName: "Other" })),
      "display_name: Must not be set on a re-import: the app keeps its name. Rename it with UpdateApp.",
    );
  });

  it("changes nothing when it only validates", async () => {
    const next = shop({ "app.json": '{"rootAgent": "Root", "description": "new"}' });
    const { app, response, tree } = await twoImports(next, options(Strategy.REPLACE, true));
    assert.equal(response.name, APP);
    assert.equal(app.app.description, "");
    assert.equal(tree.writes.at(-1)?.validateOnly, true);
  });

  it("respects the app's lock unless it is told not to, and keeps it", async () => {
    const { tree, packages } = testPackages();
    const locked = shop({ "app.json": '{"displayName": "Shop", "locked": true, "pinned": true}' });
    await packages.importApp(importRequest(locked, { appId: "shop" }));
    await assert.rejects(packages.importApp(importRequest(shop(), { appId: "shop" })), {
      code: Code.FailedPrecondition,
    });
    await packages.importApp(importRequest(shop(), { appId: "shop", ignoreAppLock: true }));
    const { app } = await tree.readTree(APP);
    assert.deepEqual([app.locked, app.pinned, app.rootAgent !== ""], [true, true, true]);
  });
});

describe("A package's layout", () => {
  it("may have any folder name, and clutter of other systems", async () => {
    const { packages } = testPackages();
    const texts = Object.fromEntries(Object.entries(shop()).map(([path, text]) => [`my app/${path}`, text]));
    const value = zipOf({ ...texts, "__MACOSX/my app/._app.json": "x", "my app/.DS_Store": "x" });
    const request = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "appContent", value } });
    assert.deepEqual((await packages.importApp(request)).warnings, []);
  });

  it("may lack the folder, with a warning", async () => {
    const { packages } = testPackages();
    const value = zipOf(shop());
    const request = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "appContent", value } });
    assert.deepEqual((await packages.importApp(request)).warnings, [
      "The package has no top-level folder: its files were read from the root of the archive.",
    ]);
  });

  it("names everything it leaves aside", async () => {
    const { warnings } = await imported(
      shop({
        "README.md": "x",
        "evals/goldens/a.yaml": "x",
        "evals/b.py": "x",
        "agents/Root/test.py": "x",
        "agents/Empty/instruction.txt": "x",
        "agents/Odd/other.json": '{"displayName": "Odd"}',
        "pythonEnvFiles/pythonEnvFiles.json": '{"a": 1}',
      }),
    );
    assert.deepEqual(warnings, [
      "pythonEnvFiles/pythonEnvFiles.json: is known to be empty only; its content was ignored.",
      "agents/Empty/: has no manifest 'Empty.json' and was ignored.",
      "agents/Odd/other.json: was read as the manifest of 'agents/Odd/'; name it after its folder.",
      "README.md: is not used by any manifest and was ignored.",
      "agents/Root/test.py: is not used by any manifest and was ignored.",
      "agents/Empty/instruction.txt: is not used by any manifest and was ignored.",
      "evals/ (2 files): is not part of an app package and was ignored.",
    ]);
  });

  it("has one app, one manifest for each thing, and one thing of a name", async () => {
    const { packages } = testPackages();
    const two = zipOf({ "a/app.json": "{}", "b/app.yaml": "{}" });
    const request = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "appContent", value: two } });
    assert.equal(
      await refusal(packages, request),
      "app_content: The package holds 2 apps (a, b); import them one by one.",
    );
    assert.equal(
      await refused({ "x.json": "{}" }),
      "app_content: The package has no app.json or app.yaml in a single top-level folder.",
    );
    assert.equal(
      await refused(shop({ "app.yaml": "displayName: Shop\n" })),
      "app.json: Only one manifest is allowed here, found app.json and app.yaml.",
    );
    assert.equal(
      await refused(shop({ "agents/Two/Two.json": '{"displayName": "Root"}' })),
      "agents/Two/Two.json: Has the display name 'Root' of agents/Root/Root.json; a package has one Agent of a name.",
    );
  });

  it("may mix JSON and YAML", async () => {
    const { app, warnings } = await imported(
      shop({
        "agents/B/B.yaml": "display_name: B\ninstruction: agents/B/words.txt\n",
        "agents/B/words.txt": "Hi.\r\n \n",
      }),
    );
    assert.deepEqual(warnings, []);
    assert.equal(app.agents[0]?.instruction, "Hi.\r\n \n");
  });
});

describe("References of a package", () => {
  it("to nothing refuse the whole import, all named", async () => {
    const texts = shop({
      "app.json": '{"displayName": "Shop", "rootAgent": "Nobody", "guardrails": ["None"]}',
      "agents/Root/Root.json":
        '{"displayName": "Root", "tools": ["lookup"], "toolsets": [{"toolset": "api"}], "transferRules": [{"childAgent": "B"}]}',
      "tools/ask/ask.json": '{"agentTool": {"name": "ask", "agent": "projects/p/locations/l/apps/other/agents/x"}}',
      "evaluations/E/E.json":
        '{"displayName": "E", "golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": "api_op"}}}]}], "evaluationExpectations": ["X"]}}',
    });
    const missing = [
      ["app.json: rootAgent", "Nobody", "Agent"],
      ["app.json: guardrails[0]", "None", "Guardrail"],
      ["agents/Root/Root.json: tools[0]", "lookup", "Tool"],
      ["agents/Root/Root.json: toolsets[0].toolset", "api", "Toolset"],
      ["agents/Root/Root.json: transferRules[0].childAgent", "B", "Agent"],
      ["tools/ask/ask.json: agentTool.agent", "projects/p/locations/l/apps/other/agents/x", "Agent"],
      ["evaluations/E/E.json: golden.turns[0].steps[0].expectation.toolCall.tool", "api_op", "Tool"],
      ["evaluations/E/E.json: golden.evaluationExpectations[0]", "X", "EvaluationExpectation"],
    ];
    assert.equal(
      await refused(texts),
      missing
        .map(([field, name, type]) => `${field}: Reference '${name}' of type 'ces.googleapis.com/${type}' not found.`)
        .join("; "),
    );
  });

  it("may be full resource names of any app, found by their id", async () => {
    const { app } = await imported(
      shop({
        "app.json": '{"displayName": "Shop", "rootAgent": "projects/x/locations/y/apps/z/agents/root"}',
        "agents/Root/Root.json":
          '{"name": "root", "displayName": "Root", "tools": ["projects/x/locations/y/apps/z/tools/end_session"]}',
      }),
    );
    assert.equal(app.app.rootAgent, `${APP}/agents/root`);
    assert.deepEqual(app.agents[0]?.tools, [`${APP}/tools/end_session`]);
  });

  it("to a tool may use the manifest's name for it, which the tool's own name replaces", async () => {
    const { app, warnings } = await imported(
      shop({
        "tools/look/look.json":
          '{"name": "t", "displayName": "Look it up", "pythonFunction": {"name": "look", "pythonCode": "tools/look/code.py"}}',
        "agents/Root/Root.json": '{"displayName": "Root", "tools": ["Look it up"]}',
      }),
    );
    assert.equal(app.tools[0]?.displayName, "look");
    assert.deepEqual(app.agents[0]?.tools, [`${APP}/tools/t`]);
    assert.equal(
      warnings[0],
      "tools/look/look.json: displayName: is 'Look it up', but a tool is called by the name in its type: 'look'.",
    );
  });
});

describe("Display names that a package leaves out", () => {
  it("are taken from the tool's type, the manifest or the folder", async () => {
    const { app, warnings } = await imported(
      shop({
        "tools/files/files.json": '{"displayName": "search_files", "fileSearchTool": {"corpusType": "FULLY_MANAGED"}}',
        "tools/web/web.json": '{"googleSearchTool": {}}',
        "toolsets/mcp/mcp.json": '{"mcpToolset": {"serverAddress": "https://mcp.example.com"}}',
      }),
    );
    assert.deepEqual(
      app.tools.map(({ displayName, toolType }) => [displayName, toolType.value?.name]),
      [
        ["search_files", "search_files"],
        ["look", "look"],
        ["web", "web"],
      ],
    );
    assert.equal(app.toolsets[0]?.displayName, "mcp");
    assert.deepEqual(warnings, ["toolsets/mcp/mcp.json: displayName: is missing; 'mcp' was used."]);
  });
});

describe("A resource that cannot be imported", () => {
  it("is left out with what needs it, and the rest is imported", async () => {
    const { app, warnings } = await imported({
      "app.json": '{"displayName": "Shop", "rootAgent": "Root", "guardrails": ["G", "H"]}',
      "agents/Root/Root.json":
        '{"displayName": "Root", "tools": ["bad", "ask", "end_session"], "childAgents": ["Broken"], "toolsets": [{"toolset": "empty"}], "transferRules": [{"childAgent": "Broken"}]}',
      "agents/Broken/Broken.json": '{"displayName": "Broken", "tools": 1}',
      "tools/bad/bad.json": '{"displayName": "bad"}',
      "tools/ask/ask.json": '{"agentTool": {"name": "ask", "agent": "Broken"}}',
      "tools/end_session/end_session.json": '{"systemTool": {"name": "end_session"}}',
      "toolsets/empty/empty.json": '{"displayName": "empty"}',
      "guardrails/G/G.json": '{"displayName": "G", "action": {"transferAgent": {"agent": "Broken"}}}',
      "guardrails/H/H.json": '{"displayName": "H"}',
    });
    const removed = (label: string, name: string, reason: string) =>
      `${label} '${name}' was removed due to import error: ${reason}.`;
    const reference = (field: string, label: string, name: string) =>
      `${field}: the reference to ${label} '${name}' was removed with it.`;
    assert.deepEqual(warnings, [
      removed("Agent", "Broken", "agents/Broken/Broken.json: tools: must be a list, not 1"),
      removed("Tool", "bad", "tools/bad/bad.json: a tool needs a type, e.g. pythonFunction"),
      removed(
        "Tool",
        "end_session",
        "tools/end_session/end_session.json: system tools exist in every app and need no manifest",
      ),
      removed("Toolset", "empty", "toolsets/empty/empty.json: a toolset needs a type, e.g. openApiToolset"),
      removed("Tool", "ask", "tools/ask/ask.json: agentTool.agent: needs Agent 'Broken'"),
      removed("Guardrail", "G", "guardrails/G/G.json: action.transferAgent.agent: needs Agent 'Broken'"),
      reference("app.json: guardrails[0]", "Guardrail", "G"),
      reference("agents/Root/Root.json: tools[0]", "Tool", "bad"),
      reference("agents/Root/Root.json: tools[1]", "Tool", "ask"),
      reference("agents/Root/Root.json: childAgents[0]", "Agent", "Broken"),
      reference("agents/Root/Root.json: toolsets[0].toolset", "Toolset", "empty"),
      reference("agents/Root/Root.json: transferRules[0].childAgent", "Agent", "Broken"),
    ]);
    const [root, ...others] = app.agents;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [root?.tools, root?.childAgents, root?.toolsets, root?.transferRules],
      [[`${APP}/tools/end_session`], [], [], []],
    );
    assert.deepEqual(app.app.guardrails, [app.guardrails[0]?.name]);
  });

  it("refuses the import when it is the root agent, or the app", async () => {
    assert.equal(
      await refused(shop({ "agents/Root/Root.json": '{"displayName": "Root", "tools": 1}' })),
      "app.json: rootAgent: 'Root' cannot be imported: agents/Root/Root.json: tools: must be a list, not 1.",
    );
    assert.equal(
      await refused(shop({ "app.json": '{"displayName": "Shop", "pinned": "never"}' })),
      'app_content: app.json: pinned: must be true or false, not "never".',
    );
  });

  it("is an evaluation that was exported as invalid and still leads nowhere", async () => {
    const { app, warnings } = await imported(
      shop({
        "evaluations/E/E.json":
          '{"displayName": "E", "invalid": true, "scenario": {"evaluationExpectations": ["gone"]}}',
      }),
    );
    assert.deepEqual(app.evaluations, []);
    assert.deepEqual(warnings, [
      "Evaluation 'E' was removed due to import error: evaluations/E/E.json: scenario.evaluationExpectations[0]: " +
        "Reference 'gone' of type 'ces.googleapis.com/EvaluationExpectation' not found.",
    ]);
  });
});

describe("Files that cannot be read", () => {
  it("refuse the import together, each with its line and column", async () => {
    const texts = shop({
      "agents/Root/Root.json": '{\n  "displayName" "Root"\n}',
      "tools/look/look.json": "{",
      "app.json": "",
    });
    assert.equal(
      await refused(texts),
      "app.json:1:1: Not valid JSON: value expected.; " +
        "agents/Root/Root.json:2:17: Not valid JSON: colon expected.; " +
        "tools/look/look.json:1:2: Not valid JSON: close brace expected.",
    );
  });

  it("that a manifest names but the package lacks refuse it, with file and field", async () => {
    const { "agents/Root/instruction.txt": _, ...rest } = shop({
      "tools/look/look.json": '{"pythonFunction": {"name": "look", "pythonCode": "./tools/look/missing.py"}}',
    });
    assert.equal(
      await refused(rest),
      "agents/Root/Root.json: instruction: The package has no file 'agents/Root/instruction.txt'.; " +
        "tools/look/look.json: pythonFunction.pythonCode: The package has no file './tools/look/missing.py'.",
    );
  });

  it("are not found outside the package", async () => {
    const texts = shop({ "agents/Root/Root.json": '{"displayName": "Root", "instruction": "../../etc/hosts.txt"}' });
    assert.equal(
      await refused(texts),
      "agents/Root/Root.json: instruction: The package has no file '../../etc/hosts.txt'.",
    );
  });
});

describe("Texts of a package", () => {
  it("may stand in the manifest, with a warning", async () => {
    const { app, warnings } = await imported(
      shop({
        "agents/Root/Root.json":
          '{"displayName": "Root", "tools": ["look"], "instruction": "Help people.\\nSee notes.txt"}',
      }),
    );
    assert.equal(app.agents[0]?.instruction, "Help people.\nSee notes.txt");
    assert.deepEqual(warnings, [
      "agents/Root/Root.json: instruction: holds the text itself; a package has the path of a text file here.",
      "agents/Root/instruction.txt: is not used by any manifest and was ignored.",
    ]);
  });

  it("may share a file, under any name", async () => {
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
    const { name, warnings } = await packages.importApp(importRequest(texts));
    assert.deepEqual(warnings.slice(1), [
      "agents/Root/hook.py:3:7: SyntaxError: invalid syntax (beforeModelCallbacks[0].pythonCode). It was imported, but it does not load.",
    ]);
    assert.equal((await tree.readTree(name)).agents[0]?.beforeModelCallbacks.length, 1);
  });

  it("are imported unchecked while the sandbox is out of order", async () => {
    const { packages } = testPackages({ inspectPython: async () => Promise.reject(new Error("no guest")) });
    const { warnings } = await packages.importApp(importRequest(shop()));
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

  it("leaves what it has no value for, and tells what it has too much", async () => {
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
      "app.json: loggingSettings.audioRecordingConfig.gcsBucket: holds $env_var and environment.json has no value for it.",
      "environment.json: tools.docs.dataStoreTool.dataStoreSource.dataStore.name: was not used: the manifest has no $env_var there.",
      "toolsets/api/api.json: openApiToolset.openApiSchema: the server URL 'https://api' was not used: the schema has no $env_var among its servers.",
      "environment.json: tools.none: names no resource of the package and was ignored.",
    ]);
    assert.equal(app.app.loggingSettings?.audioRecordingConfig?.gcsBucket, "$env_var");
  });
});

describe("Oddities that the hosted product accepts", () => {
  it("are accepted and told where it would drop something", async () => {
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
      "app.json: tools: is not a known field and was ignored.",
      "app.json: _comment: is not a known field and was ignored.",
      "tools/look/look.json: description: is not a known field and was ignored.",
      "tools/far/far.json: executionType: the hosted product drops ASYNCHRONOUS of a remote agent tool on import; it was kept here.",
    ]);
    assert.equal(app.guardrails[0]?.action?.action.case, "generativeAnswer");
  });
});
