import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { APP, LOCATION, openResources, type TestResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

const TOOL = "ces.googleapis.com/Tool";

async function addAgent(test: TestResources, id: string, more: object = {}) {
  return test.call("createAgent", { parent: APP, agentId: id, agent: { displayName: id, ...more } });
}

async function addTool(test: TestResources, id: string) {
  return test.call("createTool", {
    parent: APP,
    toolId: id,
    tool: { toolType: { case: "clientFunction", value: { name: id } } },
  });
}

describe("references between resources", () => {
  it("are all checked at once, each violation with its field", async () => {
    await using test = await openResources();
    await test.call("createApp", { parent: LOCATION, appId: "other", app: { displayName: "Other" } });
    const statusError = await statusErrorOf(
      addAgent(test, "root-agent", {
        displayName: "",
        tools: [`${APP}/tools/missing`, "end_session", "missing"],
        toolsets: [{ toolset: `${APP}/toolsets/missing` }, {}],
        childAgents: [`${LOCATION}/apps/other/agents/elsewhere`],
      }),
    );
    assert.deepEqual(statusError, {
      code: "InvalidArgument",
      violations: {
        "agent.display_name": "Required field is not set.",
        "agent.tools[0]": `Reference '${APP}/tools/missing' of type '${TOOL}' not found.`,
        "agent.tools[2]": `Reference 'missing' of type '${TOOL}' not found: it must be a resource name in this app (${APP}/…).`,
        "agent.toolsets[0].toolset": `Reference '${APP}/toolsets/missing' of type 'ces.googleapis.com/Toolset' not found.`,
        "agent.toolsets[1].toolset": "Required field is not set.",
        "agent.child_agents[0]": `Reference '${LOCATION}/apps/other/agents/elsewhere' of type 'ces.googleapis.com/Agent' not found: it must be a resource name in this app (${APP}/…).`,
      },
    });
    assert.deepEqual((await test.call("listAgents", { parent: APP })).agents, []);
  });

  it("must have the right type", async () => {
    await using test = await openResources();
    await addTool(test, "lookup");
    assert.deepEqual(await statusErrorOf(addAgent(test, "root-agent", { guardrails: [`${APP}/tools/lookup`] })), {
      code: "InvalidArgument",
      violations: {
        "agent.guardrails[0]": `Reference '${APP}/tools/lookup' of type 'ces.googleapis.com/Guardrail' not found.`,
      },
    });
  });

  it("accept system tools by id or full name, and store one form", async () => {
    await using test = await openResources();
    const agent = await addAgent(test, "root-agent", { tools: ["end_session", `${APP}/tools/transfer_to_agent`] });
    assert.deepEqual(agent.tools, [`${APP}/tools/end_session`, `${APP}/tools/transfer_to_agent`]);
  });

  it("are checked on updates, of the app too", async () => {
    await using test = await openResources();
    assert.deepEqual(
      await statusErrorOf(test.call("updateApp", { app: { name: APP, rootAgent: `${APP}/agents/missing` } })),
      {
        code: "InvalidArgument",
        violations: {
          "app.root_agent": `Reference '${APP}/agents/missing' of type 'ces.googleapis.com/Agent' not found.`,
        },
      },
    );
  });

  it("give an agent one parent at most", async () => {
    await using test = await openResources();
    const child = (await addAgent(test, "child")).name;
    await addAgent(test, "first", { childAgents: [child] });
    assert.deepEqual(await statusErrorOf(addAgent(test, "second", { childAgents: [child] })), {
      code: "InvalidArgument",
      violations: {
        "agent.child_agents[0]": `'${child}' already is a child of 'first' (${APP}/agents/first); an agent has at most one parent.`,
      },
    });
  });

  it("give an agent no descendant that is above it", async () => {
    await using test = await openResources();
    const [upper = "", middle = "", lower = ""] = ["upper", "middle", "lower"].map((id) => `${APP}/agents/${id}`);
    await addAgent(test, "lower");
    await addAgent(test, "middle", { childAgents: [lower] });
    await addAgent(test, "upper", { childAgents: [middle] });
    const give = (name: string, ...childAgents: string[]) => test.call("updateAgent", { agent: { name, childAgents } });
    for (const [agent, child, what] of [
      [lower, upper, "is above the agent"],
      [upper, upper, "is the agent itself"],
    ] as const) {
      assert.deepEqual(await statusErrorOf(give(agent, child)), {
        code: "InvalidArgument",
        violations: { "agent.child_agents[0]": `'${child}' ${what}; an agent cannot be its own descendant.` },
      });
    }
    await test.call("updateAgent", { agent: { name: upper }, updateMask: { paths: ["child_agents"] } });
    assert.deepEqual((await give(lower, upper)).childAgents, [upper]);
  });

  it("of a deployment can be the draft or an existing version", async () => {
    await using test = await openResources();
    const deploy = (appVersion: string) =>
      test.call("createDeployment", {
        parent: APP,
        deployment: { displayName: "Web", appVersion, channelProfile: {} },
      });
    assert.equal((await deploy(`${APP}/versions/-`)).appVersion, `${APP}/versions/-`);
    await test.call("createAppVersion", { parent: APP, appVersionId: "first", appVersion: {} });
    assert.equal((await deploy(`${APP}/versions/first`)).appVersion, `${APP}/versions/first`);
    assert.deepEqual(await statusErrorOf(deploy(`${APP}/versions/missing`)), {
      code: "InvalidArgument",
      violations: {
        "deployment.app_version": `Reference '${APP}/versions/missing' of type 'ces.googleapis.com/AppVersion' not found.`,
      },
    });
  });
});

describe("deleting referenced resources", () => {
  async function wired(): Promise<TestResources> {
    const test = await openResources();
    await addTool(test, "lookup");
    const child = await addAgent(test, "child", { tools: [`${APP}/tools/lookup`, "end_session"] });
    await addAgent(test, "root-agent", {
      childAgents: [child.name],
      tools: [`${APP}/tools/lookup`],
      transferRules: [{ childAgent: child.name, direction: 1 }],
    });
    await test.call("updateApp", { app: { name: APP, rootAgent: `${APP}/agents/root-agent` } });
    await test.call("createGuardrail", {
      parent: APP,
      guardrailId: "to-child",
      guardrail: {
        displayName: "To child",
        action: { action: { case: "transferAgent", value: { agent: child.name } } },
      },
    });
    await test.call("createExample", {
      parent: APP,
      exampleId: "recorded",
      example: {
        displayName: "Recorded",
        entryAgent: child.name,
        messages: [
          { role: "child", chunks: [{ data: { case: "agentTransfer", value: { targetAgent: child.name } } }] },
        ],
      },
    });
    return test;
  }

  it("fails with the referrers' names", async () => {
    await using test = await wired();
    assert.deepEqual(await statusErrorOf(test.call("deleteAgent", { name: `${APP}/agents/child` })), {
      code: "FailedPrecondition",
      message:
        `'${APP}/agents/child' is still referenced by ${APP}/agents/root-agent (child_agents[0], transfer_rules[0].child_agent); ` +
        `${APP}/examples/recorded (entry_agent, messages[0].chunks[0].agent_transfer.target_agent); ` +
        `${APP}/guardrails/to-child (action.transfer_agent.agent). Remove the references first, or delete with force=true to have them removed.`,
    });
  });

  it("removes the references with force, in the same change", async () => {
    await using test = await wired();
    const before = await test.call("getAgent", { name: `${APP}/agents/root-agent` });
    await test.call("deleteAgent", { name: `${APP}/agents/child`, force: true });
    const root = await test.call("getAgent", { name: `${APP}/agents/root-agent` });
    assert.deepEqual([root.childAgents, root.transferRules, root.tools], [[], [], [`${APP}/tools/lookup`]]);
    assert.notEqual(root.etag, before.etag);
    const guardrail = await test.call("getGuardrail", { name: `${APP}/guardrails/to-child` });
    assert.equal(guardrail.action?.action.case, undefined);
    const { changelogs } = await test.call("listChangelogs", { parent: APP, pageSize: 1 });
    assert.deepEqual(
      changelogs.map(({ action, resource, dependentResources }) => [
        action,
        resource,
        dependentResources.map(({ name }) => name),
      ]),
      [
        [
          "Delete",
          `${APP}/agents/child`,
          [`${APP}/agents/root-agent`, `${APP}/examples/recorded`, `${APP}/guardrails/to-child`],
        ],
      ],
    );
  });

  it("marks examples that recorded it as invalid and keeps their messages", async () => {
    await using test = await wired();
    assert.equal((await test.call("getExample", { name: `${APP}/examples/recorded` })).invalid, false);
    await test.call("deleteAgent", { name: `${APP}/agents/child`, force: true });
    const example = await test.call("getExample", { name: `${APP}/examples/recorded` });
    assert.deepEqual([example.invalid, example.entryAgent, example.messages.length], [true, "", 1]);
    const changed = await test.call("updateExample", { example: { name: example.name, description: "Old" } });
    assert.deepEqual([changed.invalid, changed.description], [true, "Old"]);
  });

  it("deletes agents and tools although evaluations refer to them", async () => {
    await using test = await openResources();
    const { name: tool } = await addTool(test, "lookup");
    const toolCall = { case: "toolCall" as const, value: { toolIdentifier: { case: "tool" as const, value: tool } } };
    const step = { step: { case: "expectation" as const, value: { condition: toolCall } } };
    const made = await test.call("createEvaluation", {
      parent: APP,
      evaluation: { displayName: "Golden", inputs: { case: "golden", value: { turns: [{ steps: [step] }] } } },
    });
    assert.equal(made.invalid, false);
    assert.match(JSON.stringify(made.inputs.value), /"displayName":"lookup"/);
    await test.call("deleteTool", { name: tool });
    const after = await test.call("getEvaluation", { name: made.name });
    assert.deepEqual([after.invalid, after.etag], [true, made.etag]);
  });

  it("fails for versions that are deployed", async () => {
    await using test = await openResources();
    const { name } = await test.call("createAppVersion", { parent: APP, appVersionId: "first", appVersion: {} });
    const { name: deployment } = await test.call("createDeployment", {
      parent: APP,
      deployment: { displayName: "Web", appVersion: name, channelProfile: {} },
    });
    assert.deepEqual(await statusErrorOf(test.call("deleteAppVersion", { name })), {
      code: "FailedPrecondition",
      message: `'${name}' is still referenced by ${deployment} (app_version). Remove the references first.`,
    });
  });
});

describe("display names", () => {
  it("are unique among the agents, tools, toolsets and guardrails of an app, each among their own", async () => {
    await using test = await openResources();
    await addAgent(test, "sales");
    await addTool(test, "sales");
    const statusError = await statusErrorOf(test.call("createAgent", { parent: APP, agent: { displayName: "sales" } }));
    assert.deepEqual(statusError, {
      code: "InvalidArgument",
      violations: {
        "agent.display_name": `'sales' is already the display name of ${APP}/agents/sales; packages and instructions refer to resources by display name.`,
      },
    });
    await test.call("createApp", { parent: LOCATION, appId: "other", app: { displayName: "Garden" } });
    const elsewhere = { parent: `${LOCATION}/apps/other`, agent: { displayName: "sales" } };
    assert.equal((await test.call("createAgent", elsewhere)).displayName, "sales");
  });
});
