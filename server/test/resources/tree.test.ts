import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, equals, type MessageInitShape } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { EvaluationDatasetSchema, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import type { AppTree } from "#resources";
import { APP, openResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

const agent = (id: string, more: MessageInitShape<typeof AgentSchema> = {}) =>
  create(AgentSchema, { name: `${APP}/agents/${id}`, displayName: id, ...more });
const tool = (id: string, pythonCode = `def ${id}() -> dict:`) =>
  create(ToolSchema, {
    name: `${APP}/tools/${id}`,
    toolType: { case: "pythonFunction", value: { name: id, pythonCode } },
  });

function tree(parts: Partial<AppTree> = {}, app: MessageInitShape<typeof AppSchema> = {}): AppTree {
  return {
    app: create(AppSchema, { name: APP, displayName: "Garden", ...app }),
    agents: [],
    tools: [],
    toolsets: [],
    guardrails: [],
    examples: [],
    evaluations: [],
    evaluationDatasets: [],
    evaluationExpectations: [],
    ...parts,
  };
}

const FULL = () =>
  tree(
    {
      agents: [
        agent("r", { childAgents: [`${APP}/agents/b.2`], tools: ["end_session", `${APP}/tools/look`] }),
        agent("b.2"),
      ],
      tools: [tool("look")],
      evaluations: [
        create(EvaluationSchema, {
          name: `${APP}/evaluations/e`,
          displayName: "E",
          inputs: { case: "scenario", value: { task: "t" } },
        }),
      ],
      evaluationDatasets: [
        create(EvaluationDatasetSchema, {
          name: `${APP}/evaluationDatasets/d`,
          displayName: "D",
          evaluations: [`${APP}/evaluations/e`],
        }),
      ],
    },
    { rootAgent: `${APP}/agents/r` },
  );

describe("writeTree", () => {
  it("creates a whole app, with ids of any form, which readTree returns", async () => {
    await using test = await openResources({ app: false });
    assert.deepEqual(await test.resources.tree.writeTree(FULL()), { warnings: [] });
    const stored = await test.resources.tree.readTree(APP);
    assert.deepEqual(
      stored.agents.map(({ name, tools }) => [name, tools]),
      [
        [`${APP}/agents/b.2`, []],
        [`${APP}/agents/r`, [`${APP}/tools/end_session`, `${APP}/tools/look`]],
      ],
    );
    assert.equal(stored.tools[0]?.displayName, "look");
    assert.deepEqual(stored.evaluations[0]?.evaluationDatasets, [`${APP}/evaluationDatasets/d`]);
    assert.ok(stored.app.createTime && stored.app.etag);
    assert.deepEqual((await test.call("getAgent", { name: `${APP}/agents/r` })).etag, stored.agents[1]?.etag);
  });

  it("writes nothing where nothing differs, and replaces the rest", async () => {
    await using test = await openResources({ app: false });
    await test.resources.tree.writeTree(FULL());
    const before = await test.resources.tree.readTree(APP);
    await test.resources.tree.writeTree(before);
    const same = await test.resources.tree.readTree(APP);
    assert.ok(
      same.agents.every((each, index) => equals(AgentSchema, each, before.agents[index] ?? create(AgentSchema))),
    );
    await test.resources.tree.writeTree(
      tree({ agents: [agent("b.2", { description: "New" })] }, { rootAgent: `${APP}/agents/r` }),
    );
    const after = await test.resources.tree.readTree(APP);
    assert.deepEqual(
      after.agents.map(({ description, createTime, updateTime }, index) => [
        description,
        createTime?.seconds === before.agents[index]?.createTime?.seconds,
        updateTime?.seconds === before.agents[index]?.updateTime?.seconds,
      ]),
      [
        ["New", true, false],
        ["", true, true],
      ],
    );
  });

  it("fails as a whole for one dangling reference, and stores nothing", async () => {
    await using test = await openResources({ app: false });
    const wrong = tree({
      agents: [agent("first", { tools: [`${APP}/tools/gone`] }), agent("second", { displayName: "first" })],
    });
    assert.deepEqual(await statusErrorOf(test.resources.tree.writeTree(wrong)), {
      code: "InvalidArgument",
      violations: {
        [`${APP}/agents/first.tools[0]`]: `Reference '${APP}/tools/gone' of type 'ces.googleapis.com/Tool' not found.`,
        [`${APP}/agents/first.display_name`]: `'first' is already the display name of ${APP}/agents/second; packages and instructions refer to resources by display name.`,
        [`${APP}/agents/second.display_name`]: `'first' is already the display name of ${APP}/agents/first; packages and instructions refer to resources by display name.`,
      },
    });
    assert.equal((await statusErrorOf(test.resources.tree.readTree(APP))).code, "NotFound");
  });

  it("rejects names outside the app and duplicate names", async () => {
    await using test = await openResources({ app: false });
    const statusError = await statusErrorOf(
      test.resources.tree.writeTree(
        tree({ agents: [agent("a"), agent("a"), create(AgentSchema, { name: "elsewhere", displayName: "x" })] }),
      ),
    );
    assert.deepEqual(
      statusError.code === "InvalidArgument" && "violations" in statusError && Object.keys(statusError.violations),
      [`${APP}/agents/a.name`, "elsewhere.name"],
    );
  });

  it("deletes the others of a part when asked to, and references to them", async () => {
    await using test = await openResources({ app: false });
    await test.resources.tree.writeTree(FULL());
    await test.resources.tree.writeTree(tree({ agents: [agent("r")] }, { rootAgent: `${APP}/agents/r` }), {
      deleteOthers: ["agents", "evaluations"],
    });
    const after = await test.resources.tree.readTree(APP);
    assert.deepEqual(
      [after.agents, after.tools, after.evaluations].map((list) => list.map(({ name }) => name)),
      [[`${APP}/agents/r`], [`${APP}/tools/look`], []],
    );
    assert.deepEqual(after.evaluationDatasets[0]?.evaluations, []);
  });

  it("keeps the app's own message when asked to", async () => {
    await using test = await openResources();
    await test.resources.tree.writeTree(tree({ agents: [agent("r")] }, { displayName: "Other" }), {
      replaceApp: false,
    });
    const { app, agents } = await test.resources.tree.readTree(APP);
    assert.deepEqual([app.displayName, agents.length], ["Garden", 1]);
  });

  it("returns the validation errors of the app and its agents as warnings", async () => {
    await using test = await openResources({ app: false });
    const callback = { callback: { case: "pythonCode" as const, value: "def wrong(): pass" } };
    const parts = { tools: [tool("look", "broken")], agents: [agent("r", { beforeAgentCallbacks: [callback] })] };
    assert.deepEqual(await test.resources.tree.writeTree(tree(parts, { rootAgent: `${APP}/agents/r` })), {
      warnings: [
        "Tool 'look', python_function: line 1, column 1: does not load: SyntaxError: invalid syntax.",
        "Agent 'r', before_agent_callbacks[0]: does not define the function 'before_agent_callback', so it never runs.",
      ],
    });
  });

  it("respects the lock unless it is ignored, and writes nothing when only validating", async () => {
    await using test = await openResources();
    await test.call("updateApp", { app: { name: APP, locked: true } });
    const change = tree({ agents: [agent("r")] }, { locked: false });
    assert.equal((await statusErrorOf(test.resources.tree.writeTree(change))).code, "FailedPrecondition");
    const { warnings } = await test.resources.tree.writeTree(change, { ignoreLock: true, validateOnly: true });
    assert.equal(warnings.length, 1);
    assert.deepEqual((await test.resources.tree.readTree(APP)).agents, []);
    await test.resources.tree.writeTree(change, { ignoreLock: true });
    assert.equal((await test.resources.tree.readTree(APP)).agents.length, 1);
  });

  it("keeps invalid evaluations of an export, and rejects dangling ones that are not marked", async () => {
    await using test = await openResources({ app: false });
    const evaluation = (invalid: boolean) =>
      create(EvaluationSchema, {
        name: `${APP}/evaluations/old`,
        displayName: "Old",
        invalid,
        inputs: {
          case: "golden",
          value: {
            turns: [{ steps: [{ step: { case: "agentTransfer", value: { targetAgent: `${APP}/agents/gone` } } }] }],
          },
        },
      });
    assert.equal(
      (await statusErrorOf(test.resources.tree.writeTree(tree({ evaluations: [evaluation(false)] })))).code,
      "InvalidArgument",
    );
    await test.resources.tree.writeTree(tree({ evaluations: [evaluation(true)] }));
    assert.equal((await test.resources.tree.readTree(APP)).evaluations[0]?.invalid, true);
  });
});
