import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { testPackages } from "../__fixtures__/memory-tree.ts";
import { importRequest, PARENT, zipOf } from "../__fixtures__/package-requests.ts";
import { APP, importError, imported, rejectedImport, shop } from "../__fixtures__/shop.ts";

describe("A package's layout", () => {
  it("can have any folder name, and files of operating systems", async () => {
    const { packages } = testPackages();
    const texts = Object.fromEntries(Object.entries(shop()).map(([path, text]) => [`my app/${path}`, text]));
    const value = await zipOf({ ...texts, "__MACOSX/my app/._app.json": "x", "my app/.DS_Store": "x" });
    const request = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "appContent", value } });
    assert.deepEqual((await packages.importApp(request)).warnings, []);
  });

  it("can lack the folder, with a warning", async () => {
    const { packages } = testPackages();
    const value = await zipOf(shop());
    const request = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "appContent", value } });
    assert.deepEqual((await packages.importApp(request)).warnings, [
      "The package has no top-level folder: its files were read from the root of the archive.",
    ]);
  });

  it("is reported where it is ignored", async () => {
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
      "pythonEnvFiles/pythonEnvFiles.json: is expected to be empty; its content was ignored.",
      "agents/Empty/: has no manifest 'Empty.json' and was ignored.",
      "agents/Odd/other.json: was read as the manifest of 'agents/Odd/'; name it after its folder.",
      "README.md: is not used by any manifest and was ignored.",
      "agents/Root/test.py: is not used by any manifest and was ignored.",
      "agents/Empty/instruction.txt: is not used by any manifest and was ignored.",
      "evals/ (2 files): is not part of an app package and was ignored.",
    ]);
  });

  it("has one app, one manifest per folder, and unique display names", async () => {
    const { packages } = testPackages();
    const two = await zipOf({ "a/app.json": "{}", "b/app.yaml": "{}" });
    const request = create(ImportAppRequestSchema, { parent: PARENT, app: { case: "appContent", value: two } });
    assert.equal(
      await importError(packages, request),
      "app_content: The package has 2 apps (a, b); import them one by one.",
    );
    assert.equal(
      await rejectedImport({ "x.json": "{}" }),
      "app_content: The package has no app.json or app.yaml in a single top-level folder.",
    );
    assert.equal(
      await rejectedImport(shop({ "app.yaml": "displayName: Shop\n" })),
      "app.json: Only one manifest is allowed here, found app.json and app.yaml.",
    );
    const { warnings } = await imported(shop({ "agents/A/A.json": '{"displayName": "Root"}' }));
    assert.deepEqual(warnings, [
      "Agent 'Root' was removed due to import error: agents/A/A.json: has the display name 'Root' of agents/Root/Root.json; a package has one Agent of a name.",
    ]);
  });

  it("can mix JSON and YAML", async () => {
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
  it("fail the import when they dangle, all of them reported", async () => {
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
      await rejectedImport(texts),
      missing
        .map(([field, name, type]) => `${field}: Reference '${name}' of type 'ces.googleapis.com/${type}' not found`)
        .join("; ")
        .concat("."),
    );
  });

  it("can be full resource names of any app, looked up by id", async () => {
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

  it("to a tool can use the manifest's name for it, which the tool's own name replaces", async () => {
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
      "tools/look/look.json: displayName: is 'Look it up', but a tool's display name is the name in its type: 'look'.",
    );
  });
});

describe("Display names that a package lacks", () => {
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

  it("are not added to an OpenAPI tool that has the name of its operation", async () => {
    const tool = (displayName: string) =>
      JSON.stringify({
        displayName,
        openApiTool: { openApiSchema: `openapi: 3.0.3\npaths: {/a: {get: {operationId: getPet}}}` },
      });
    const { app } = await imported(
      shop({ "tools/getPet/getPet.json": tool("getPet"), "tools/other/other.json": tool("other") }),
    );
    const names = app.tools.flatMap(({ toolType }) => (toolType.case === "openApiTool" ? [toolType.value.name] : []));
    assert.deepEqual(names, ["", "other"]);
  });
});

describe("A resource that cannot be imported", () => {
  it("is omitted with the resources that require it, and the rest is imported", async () => {
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

  it("fails the import when it is the root agent, or the app", async () => {
    assert.equal(
      await rejectedImport(shop({ "agents/Root/Root.json": '{"displayName": "Root", "tools": 1}' })),
      "app.json: rootAgent: 'Root' cannot be imported; agents/Root/Root.json: tools: must be a list, not 1.",
    );
    assert.equal(
      await rejectedImport(shop({ "app.json": '{"displayName": "Shop", "pinned": "never"}' })),
      'app.json: pinned: must be true or false, not "never".',
    );
  });

  it("is an evaluation that was exported as invalid and still has dangling references", async () => {
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

describe("The dataset of an evaluation", () => {
  const evaluation = (displayName: string, ...evaluationDatasets: string[]) =>
    JSON.stringify({ displayName, evaluationDatasets, scenario: {} });

  it("has it as a member where only the evaluation names it, and is created when the package lacks it", async () => {
    const { app, warnings } = await imported(
      shop({
        "evaluations/E/E.json": evaluation("E", "Nightly", "Weekly"),
        "evaluations/F/F.json": evaluation("F", "Nightly", "Weekly"),
        "evaluationDatasets/Nightly/Nightly.json": '{"displayName": "Nightly", "evaluations": ["F"]}',
      }),
    );
    const nameOf = new Map(app.evaluations.map(({ name, displayName }) => [name, displayName]));
    const members = app.evaluationDatasets.map(({ displayName, evaluations }) => [
      displayName,
      evaluations.map((name) => nameOf.get(name)),
    ]);
    assert.deepEqual(Object.fromEntries(members), { Nightly: ["F", "E"], Weekly: ["E", "F"] });
    assert.deepEqual(warnings, [
      "evaluations/E/E.json: evaluationDatasets: the package has no dataset 'Weekly'; it was created with the evaluations that name it.",
    ]);
  });

  it("stays in the app with its other members when the package does not have it", async () => {
    const { tree, packages } = testPackages();
    const dataset = '{"name": "n", "displayName": "Nightly", "evaluations": ["E"]}';
    await packages.importApp(
      await importRequest(shop({ "evaluationDatasets/Nightly/Nightly.json": dataset }), { appId: "shop" }),
    );
    const more = shop({
      "evaluations/E/E.json": evaluation("E", "Nightly"),
      "evaluations/F/F.json": evaluation("F", "Nightly"),
    });
    const { name, warnings } = await packages.importApp(await importRequest(more, { appId: "shop" }));
    const { evaluations, evaluationDatasets } = await tree.readTree(name);
    assert.deepEqual(warnings, []);
    assert.equal(evaluations.length, 2);
    assert.deepEqual(
      evaluationDatasets.map((each) => [each.name, each.evaluations.toSorted()]),
      [[`${name}/evaluationDatasets/n`, evaluations.map((each) => each.name).toSorted()]],
    );
  });
});
