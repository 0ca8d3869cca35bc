import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { APP, openResources, type TestResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

async function withRoot(): Promise<TestResources> {
  const test = await openResources();
  await test.call("createAgent", {
    parent: APP,
    agentId: "root-agent",
    agent: { displayName: "Root", instruction: "Greet." },
  });
  await test.call("updateApp", { app: { name: APP, rootAgent: `${APP}/agents/root-agent` } });
  return test;
}

describe("an app version", () => {
  it("has the snapshot of the app, whatever snapshot the client sends", async () => {
    await using test = await withRoot();
    const version = await test.call("createAppVersion", {
      parent: APP,
      appVersionId: "first",
      appVersion: { displayName: "First", creator: "someone", snapshot: { app: { displayName: "Forged" } } },
    });
    await test.call("updateAgent", { agent: { name: `${APP}/agents/root-agent`, instruction: "Changed." } });
    const stored = await test.call("getAppVersion", { name: version.name });
    assert.deepEqual(stored, version);
    assert.deepEqual(
      [
        stored.creator,
        stored.snapshot?.app?.displayName,
        stored.snapshot?.agents.map(({ instruction }) => instruction),
      ],
      ["mia@example.com", "Garden", ["Greet."]],
    );
    assert.deepEqual(stored.snapshot?.app?.predefinedVariableDeclarations, []);
  });

  it("is returned by the version snapshot, and NOT_FOUND once deleted", async () => {
    await using test = await withRoot();
    const { name, snapshot } = await test.call("createAppVersion", {
      parent: APP,
      appVersionId: "first",
      appVersion: {},
    });
    const first = await test.resources.snapshots.version(name);
    assert.deepEqual(first.snapshot, snapshot);
    assert.equal((await test.resources.snapshots.version(name)).snapshot, first.snapshot);
    await test.call("deleteAppVersion", { name });
    assert.equal((await statusErrorOf(test.resources.snapshots.version(name))).code, "NotFound");
  });
});

describe("the draft snapshot", () => {
  it("is the same object until the app changes", async () => {
    await using test = await withRoot();
    const first = await test.resources.snapshots.draft(APP);
    const again = await test.resources.snapshots.draft(APP);
    assert.equal(again.snapshot, first.snapshot);
    assert.equal(again.generation, first.generation);
    await test.call("createAppVersion", { parent: APP, appVersion: {} });
    assert.equal((await test.resources.snapshots.draft(APP)).snapshot, first.snapshot);
    await test.call("updateAgent", { agent: { name: `${APP}/agents/root-agent`, instruction: "Changed." } });
    const changed = await test.resources.snapshots.draft(APP);
    assert.notEqual(changed.generation, first.generation);
    assert.deepEqual(
      changed.snapshot.agents.map(({ instruction }) => instruction),
      ["Changed."],
    );
  });

  it("holds app, agents, tools, toolsets, guardrails and examples", async () => {
    await using test = await withRoot();
    await test.call("createTool", {
      parent: APP,
      toolId: "show-map",
      tool: { toolType: { case: "clientFunction", value: { name: "m" } } },
    });
    await test.call("createGuardrail", { parent: APP, guardrailId: "guard", guardrail: { displayName: "Guard" } });
    await test.call("createExample", { parent: APP, exampleId: "sample", example: { displayName: "Sample" } });
    const toolsetType = { case: "mcpToolset" as const, value: { serverAddress: "https://mcp.example.com" } };
    await test.call("createToolset", {
      parent: APP,
      toolsetId: "crm-tools",
      toolset: { displayName: "crm", toolsetType },
    });
    await test.call("createEvaluationDataset", { parent: APP, evaluationDataset: { displayName: "Not part of it" } });
    const { snapshot } = await test.resources.snapshots.draft(APP);
    const { app, agents, tools, toolsets, guardrails, examples } = snapshot;
    assert.deepEqual(
      [app, ...agents, ...tools, ...toolsets, ...guardrails, ...examples].map((each) => each?.name.slice(APP.length)),
      ["", "/agents/root-agent", "/tools/show-map", "/toolsets/crm-tools", "/guardrails/guard", "/examples/sample"],
    );
  });

  it("is NOT_FOUND for an unknown app", async () => {
    await using test = await openResources({ app: false });
    assert.deepEqual(await statusErrorOf(test.resources.snapshots.draft(APP)), {
      code: "NotFound",
      message: `Resource '${APP}' was not found.`,
    });
  });
});

describe("restoreVersion", () => {
  it("stores the draft as a version, then replaces it with the old one", async () => {
    await using test = await withRoot();
    const { name } = await test.call("createAppVersion", { parent: APP, appVersionId: "first", appVersion: {} });
    await test.call("createAgent", { parent: APP, agentId: "extra", agent: { displayName: "Extra" } });
    await test.call("updateAgent", {
      agent: { name: `${APP}/agents/root-agent`, instruction: "Changed.", childAgents: [`${APP}/agents/extra`] },
    });
    await test.call("updateApp", { app: { name: APP, description: "Newer" } });
    const dataset = await test.call("createEvaluationDataset", {
      parent: APP,
      evaluationDataset: { displayName: "Kept" },
    });
    const draft = (await test.resources.snapshots.draft(APP)).snapshot;

    await test.resources.restoreVersion(name);

    const { agents } = await test.call("listAgents", { parent: APP });
    assert.deepEqual(
      agents.map(({ displayName, instruction, childAgents }) => [displayName, instruction, childAgents]),
      [["Root", "Greet.", []]],
    );
    const app = await test.call("getApp", { name: APP });
    assert.deepEqual([app.description, app.predefinedVariableDeclarations.length], ["", 2]);
    assert.deepEqual(await test.call("getEvaluationDataset", { name: dataset.name }), dataset);
    const { appVersions } = await test.call("listAppVersions", { parent: APP });
    assert.equal(appVersions.length, 2);
    assert.deepEqual(appVersions[0]?.snapshot?.agents, draft.agents);
    assert.equal(appVersions[0]?.description, `The draft as it was before ${name} was restored.`);
  });

  it("fails for unknown versions and locked apps", async () => {
    await using test = await withRoot();
    const { name } = await test.call("createAppVersion", { parent: APP, appVersionId: "first", appVersion: {} });
    assert.equal((await statusErrorOf(test.resources.restoreVersion(`${APP}/versions/missing`))).code, "NotFound");
    await test.call("updateApp", { app: { name: APP, locked: true } });
    assert.equal((await statusErrorOf(test.resources.restoreVersion(name))).code, "FailedPrecondition");
    assert.equal((await test.call("listAppVersions", { parent: APP })).appVersions.length, 1);
  });
});

describe("a deployment", () => {
  it("needs a channel profile and percentages that add up", async () => {
    await using test = await withRoot();
    const versionRelease = {
      trafficAllocations: [{ trafficPercentage: 70 }, { trafficPercentage: 130, id: "x".repeat(129) }],
    };
    const field = "deployment.experiment_config.version_release.traffic_allocations";
    const deployment = { displayName: "Web", experimentConfig: { versionRelease } };
    assert.deepEqual(await statusErrorOf(test.call("createDeployment", { parent: APP, deployment })), {
      code: "InvalidArgument",
      violations: {
        "deployment.channel_profile": "Required field is not set.",
        [`${field}[1].id`]: "An id has at most 128 characters.",
        [`${field}[1].traffic_percentage`]: "A percentage is between 0 and 100.",
        [field]: "The percentages add up to 200; they must add up to 100.",
      },
    });
  });

  it("does not store the credentials that are input only", async () => {
    await using test = await withRoot();
    const whatsappCredentials = {
      authCode: "secret",
      pin: "1",
      phoneNumber: "2",
      businessAccountId: "3",
      wabaId: "4",
      conversationProfileId: "5",
    };
    const made = await test.call("createDeployment", {
      parent: APP,
      deployment: { displayName: "Chat", channelProfile: {}, whatsappCredentials },
    });
    assert.equal(made.whatsappCredentials, undefined);
    assert.deepEqual(await test.call("getDeployment", { name: made.name }), made);
  });
});
