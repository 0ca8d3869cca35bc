import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  type ExportAppRequest,
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as ExportFormat,
} from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { Code, ConnectError, notFound } from "#status";
import type { AppTree } from "../../contract.ts";
import { testPackages } from "../__fixtures__/memory-tree.ts";
import { exportTexts, importRequest, PARENT } from "../__fixtures__/package-requests.ts";
import { readZip } from "../archive/read-zip.ts";

const APP = `${PARENT}/apps/shop`;

/** An app called "Shop" with the given parts. */
function treeOf(parts: Partial<AppTree>): AppTree {
  const none = { agents: [], tools: [], toolsets: [], guardrails: [], examples: [] };
  const noEvaluations = { evaluations: [], evaluationDatasets: [], evaluationExpectations: [] };
  return { app: create(AppSchema, { name: APP, displayName: "Shop" }), ...none, ...noEvaluations, ...parts };
}

function stored(parts: Partial<AppTree>) {
  const test = testPackages();
  test.tree.apps.set(APP, treeOf(parts));
  return test;
}

function agent(id: string, displayName: string): Agent {
  return create(AgentSchema, { name: `${APP}/agents/${id}`, displayName });
}

function tool(id: string, displayName: string): Tool {
  return create(ToolSchema, {
    name: `${APP}/tools/${id}`,
    displayName,
    toolType: { case: "clientFunction", value: { name: displayName } },
  });
}

async function exportError(fields: Partial<ExportAppRequest>): Promise<ConnectError> {
  const { packages } = stored({});
  const request = create(ExportAppRequestSchema, { name: APP, exportFormat: ExportFormat.JSON, ...(fields as object) });
  const error: unknown = await packages.exportApp(request).then(
    () => assert.fail("the export went through"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError);
  return error;
}

describe("ExportApp", () => {
  it("writes texts before the manifest that refers to them, the app first and the environment last", async () => {
    const { packages } = testPackages();
    const { name } = await packages.importApp(
      await importRequest({
        "app.json":
          '{"displayName": "My Shop", "globalInstruction": "global_instruction.txt", "loggingSettings": {"audioRecordingConfig": {"gcsBucket": "gs://b"}}}',
        "global_instruction.txt": "Be kind.",
        "evaluations/E/E.json": '{"displayName": "E"}',
        "guardrails/G/G.json": '{"displayName": "G"}',
        "toolsets/S/S.json": '{"displayName": "S", "openApiToolset": {"openApiSchema": "s.yaml"}}',
        "s.yaml": "openapi: 3.0.0\n",
        "tools/t/t.json": '{"pythonFunction": {"name": "t", "pythonCode": "t.py"}}',
        "t.py": "def t() -> dict: ...",
        "agents/A/A.json":
          '{"displayName": "A", "instruction": "i.txt", "beforeToolCallbacks": [{"pythonCode": "t.py"}]}',
        "i.txt": "Help.",
      }),
    );
    const { app } = await packages.exportApp(create(ExportAppRequestSchema, { name, exportFormat: ExportFormat.JSON }));
    const files = await readZip(app.case === "appContent" ? app.value : new Uint8Array());
    assert.deepEqual(
      files.map(({ path }) => path),
      [
        "My_Shop/global_instruction.txt",
        "My_Shop/app.json",
        "My_Shop/agents/A/instruction.txt",
        "My_Shop/agents/A/before_tool_callbacks/before_tool_callbacks_01/python_code.py",
        "My_Shop/agents/A/A.json",
        "My_Shop/tools/t/python_function/python_code.py",
        "My_Shop/tools/t/t.json",
        "My_Shop/guardrails/G/G.json",
        "My_Shop/toolsets/S/open_api_toolset/open_api_schema.yaml",
        "My_Shop/toolsets/S/S.json",
        "My_Shop/evaluations/E/E.json",
        "My_Shop/pythonEnvFiles/pythonEnvFiles.json",
        "My_Shop/environment.json",
      ],
    );
  });

  it("writes YAML manifests and a JSON environment when YAML is asked for", async () => {
    const { packages } = stored({
      app: create(AppSchema, {
        name: APP,
        displayName: "Shop: the app",
        loggingSettings: { audioRecordingConfig: { gcsBucket: "gs://b" } },
      }),
    });
    assert.deepEqual(await exportTexts(packages, APP, ExportFormat.YAML), {
      "app.yaml":
        "name: shop\ndisplayName: 'Shop: the app'\nloggingSettings:\n  audioRecordingConfig:\n    gcsBucket: $env_var\n  conversationLoggingSettings:\n    retentionWindow: 31536000s\n",
      "pythonEnvFiles/pythonEnvFiles.yaml": "{}\n",
      "environment.json":
        '{\n  "app": {\n    "loggingSettings": {\n      "audioRecordingConfig": {\n        "gcsBucket": "gs://b"\n      }\n    }\n  }\n}',
    });
  });

  it("sorts tools, children and toolsets by display name, and keeps guardrails and the stored app", async () => {
    const root = create(AgentSchema, {
      name: `${APP}/agents/r`,
      displayName: "Root",
      tools: [`${APP}/tools/2`, `${APP}/tools/end_session`, `${APP}/tools/1`],
      childAgents: [`${APP}/agents/b`, `${APP}/agents/a`],
      toolsets: [
        { toolset: `${APP}/toolsets/2`, toolIds: ["b", "a"] },
        { toolset: `${APP}/toolsets/1`, toolIds: [] },
      ],
    });
    const before = structuredClone(root);
    const { packages } = stored({
      agents: [root, agent("a", "Zoe"), agent("b", "alma")],
      tools: [tool("1", "zip"), tool("2", "Add")],
      toolsets: ["1", "2"].map((id) =>
        create(ToolsetSchema, { name: `${APP}/toolsets/${id}`, displayName: `S${3 - Number(id)}` }),
      ),
    });
    const texts = await exportTexts(packages, APP, ExportFormat.JSON);
    assert.deepEqual(JSON.parse(texts["agents/Root/Root.json"] ?? ""), {
      name: "r",
      displayName: "Root",
      tools: ["Add", "end_session", "zip"],
      childAgents: ["Zoe", "alma"],
      toolsets: [{ toolset: "S1", toolIds: ["a", "b"] }, { toolset: "S2" }],
    });
    assert.deepEqual(root, before);
  });

  it("writes display names that become the same to different folders, and imports them again", async () => {
    const { packages } = stored({
      agents: ["a b", "a_b", "a?b", "", "é/ü😀", "."].map((name, id) => agent(`id-${id}`, name)),
    });
    const texts = await exportTexts(packages, APP, ExportFormat.JSON);
    const manifests = Object.keys(texts).filter((path) => path.startsWith("agents/"));
    assert.deepEqual(manifests, [
      "agents/_/_.json",
      "agents/a_b/a_b.json",
      "agents/a_b_2/a_b_2.json",
      "agents/a_b_3/a_b_3.json",
      "agents/id-3/id-3.json",
      "agents/____/____.json",
    ]);
    const again = testPackages();
    const { name } = await again.packages.importApp(await importRequest(texts));
    const { agents } = await again.tree.readTree(name);
    assert.deepEqual(
      agents.map(({ displayName }) => displayName),
      [".", "é/ü😀", "a b", "a?b", "a_b", "id-3"],
    );
  });

  it("names the top folder after the app, whatever its name", async () => {
    for (const [displayName, folder] of [
      ["Autumn Shop", "Autumn_Shop"],
      ["../../etc", ".._.._etc"],
      ["..", "app"],
      ["", "app"],
    ] as const) {
      const { packages } = stored({ app: create(AppSchema, { name: APP, displayName }) });
      const { app } = await packages.exportApp(
        create(ExportAppRequestSchema, { name: APP, exportFormat: ExportFormat.JSON }),
      );
      const [first] = await readZip(app.case === "appContent" ? app.value : new Uint8Array());
      assert.equal(first?.path, `${folder}/app.json`);
    }
  });

  it("keeps the dangling reference of an invalid evaluation", async () => {
    const evaluation = create(EvaluationSchema, {
      name: `${APP}/evaluations/e`,
      displayName: "E",
      invalid: true,
      inputs: {
        case: "scenario",
        value: { task: "x", evaluationExpectations: [`${APP}/evaluationExpectations/gone`] },
      },
    });
    const texts = await exportTexts(stored({ evaluations: [evaluation] }).packages, APP, ExportFormat.JSON);
    assert.deepEqual(JSON.parse(texts["evaluations/E/E.json"] ?? ""), {
      name: "e",
      displayName: "E",
      scenario: { task: "x", evaluationExpectations: [`${APP}/evaluationExpectations/gone`] },
      invalid: true,
    });
  });

  it("leaves several different server URLs in the schema", async () => {
    const schema = "servers:\n- url: https://a\n- url: https://b\n";
    const toolset = create(ToolsetSchema, {
      name: `${APP}/toolsets/s`,
      displayName: "S",
      toolsetType: { case: "openApiToolset", value: { openApiSchema: schema } },
    });
    const texts = await exportTexts(stored({ toolsets: [toolset] }).packages, APP, ExportFormat.JSON);
    assert.equal(texts["toolsets/S/open_api_toolset/open_api_schema.yaml"], schema);
    assert.equal(texts["environment.json"], undefined);
  });

  it("exports the snapshot of a version", async () => {
    const version = `${APP}/versions/1`;
    const snapshot = create(AppSnapshotSchema, {
      app: { name: APP, displayName: "Then" },
      agents: [agent("then", "Then")],
    });
    const { packages, tree } = testPackages({
      snapshots: {
        version: async (name) => (name === version ? { snapshot, generation: "1" } : Promise.reject(notFound(name))),
      },
    });
    tree.apps.set(APP, treeOf({ agents: [agent("now", "Now")] }));
    const texts = await exportTexts(packages, APP, ExportFormat.JSON, { appVersion: version });
    assert.deepEqual(Object.keys(texts), ["app.json", "agents/Then/Then.json", "pythonEnvFiles/pythonEnvFiles.json"]);
    assert.equal(JSON.parse(texts["app.json"] ?? "").displayName, "Then");
  });

  it("reports a missing format, a bucket and another app's version all at once", async () => {
    const error = await exportError({
      exportFormat: ExportFormat.EXPORT_FORMAT_UNSPECIFIED,
      gcsUri: "gs://b/o",
      appVersion: `${PARENT}/apps/other/versions/1`,
    });
    assert.equal(error.code, Code.InvalidArgument);
    assert.equal(
      error.rawMessage,
      "gcs_uri: No objects can be named here; " +
        `app_version: '${PARENT}/apps/other/versions/1' is not a version of '${APP}'; ` +
        "export_format: Must be JSON or YAML.",
    );
  });

  it("is NOT_FOUND for an unknown app", async () => {
    assert.equal((await exportError({ name: `${PARENT}/apps/none` })).code, Code.NotFound);
  });
});
