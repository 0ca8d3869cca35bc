import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { createTurnApp } from "../conformance/turn-app.ts";
import { finished, type Rest, restOf } from "../rest.ts";
import { DialogueModel, GENERATED_APP } from "./generated-dialogues.ts";

const USER = "Where is it?";
const HERE = { expectation: { agentResponse: { role: "agent", chunks: [{ text: "Here." }] } } };
const GUARDRAIL = {
  contentFilter: { bannedContents: ["forbidden"], matchType: "WORD_BOUNDARY_STRING_MATCH" },
  action: { respondImmediately: { responses: [{ text: "No." }] } },
};

describe("runs of an app with tools, guardrails and deployments", () => {
  const model = new DialogueModel();
  model.steps.set(USER, [{ calls: [{ name: "find_order", args: {} }] }, { say: "Here." }]);
  let server: TestServer;
  let rest: Rest;
  let app: string;
  let golden: object;

  before(async () => {
    server = await startTestServer({ model });
    rest = restOf(() => server);
    const guardrails = { Manners: GUARDRAIL };
    app = await createTurnApp(server.address, "options-app", {
      ...GENERATED_APP,
      guardrails,
      app: { ...GENERATED_APP.app, guardrails: ["$APP/guardrails/the-manners"] },
    });
    const text = { agentResponse: { role: "agent", chunks: [{ text: "Here." }] } };
    const steps = [{ toolCall: { tool: `${app}/tools/the-find-order`, args: {} } }, text];
    const expectations = steps.map((expectation) => ({ expectation }));
    golden = { turns: [{ steps: [{ userInput: { text: USER } }, ...expectations] }] };
    await rest("POST", `${app}/evaluations?evaluationId=the-golden`, { displayName: "Finds it", golden });
  });
  after(() => server[Symbol.asyncDispose]());

  async function run(options: object, evaluations = [`${app}/evaluations/the-golden`]) {
    const operation = await finished(rest, await rest("POST", `${app}:runEvaluation`, { evaluations, ...options }));
    assert.equal(operation.error, undefined);
    const ran = await rest("GET", operation.response.evaluationRun);
    return { run: ran, results: await Promise.all(ran.evaluationResults.map((name: string) => rest("GET", name))) };
  }

  it("name tools and guardrails by resource in every latency (EVAL-73)", async () => {
    const { run: ran, results } = await run({ generateLatencyReport: true });

    const [turn] = results[0].goldenResult.turnReplayResults;
    const resources = turn.spanLatencies.flatMap(({ type, resource }: { type: string; resource?: string }) =>
      resource ? [[type, resource]] : [],
    );
    const [tool, guardrail] = [`${app}/tools/the-find-order`, `${app}/guardrails/the-manners`];
    assert.deepEqual(
      new Map(resources),
      new Map([
        ["GUARDRAIL", guardrail],
        ["TOOL", tool],
      ]),
    );
    assert.equal(turn.toolCallLatencies[0].tool, tool);
    assert.equal(ran.latencyReport.toolLatencies[0].tool, tool);
    assert.equal(ran.latencyReport.guardrailLatencies[0].guardrail, guardrail);
    const { aggregatedMetrics } = await rest("GET", `${app}/evaluations/the-golden`);
    assert.equal(aggregatedMetrics.metricsByAppVersion[0].toolCallLatencyMetrics[0].tool, tool);
  });

  it("say how they were run: as asked, else as the app's settings say for the kind (EVAL-103)", async () => {
    const fake = { goldenEvaluationToolCallBehaviour: "FAKE" };
    await rest("PATCH", `${app}?updateMask=evaluationSettings`, { evaluationSettings: fake });
    const scenario = { task: "Ask where it is.", maxTurns: 1 };
    const { name } = await rest("POST", `${app}/evaluations`, { displayName: "Asks", scenario });
    const both = [name, `${app}/evaluations/the-golden`];

    const ran = [await run({}), await run({ runCount: 1 }, both), await run({ config: { toolCallBehaviour: "REAL" } })];
    const names = ran.map(({ run: { displayName } }) => displayName.replace(/ - 20.*/, ""));
    assert.deepEqual(names, ["Finds it run", "All evaluations run", "Finds it run"], "EVAL-14");
    await rest("PATCH", `${app}?updateMask=evaluationSettings`, { evaluationSettings: {} });

    const text = { evaluationChannel: "TEXT" };
    assert.deepEqual(
      ran.map(({ run: { config }, results }) => [config, ...results.map((result) => result.config.toolCallBehaviour)]),
      [
        [{ ...text, toolCallBehaviour: "FAKE" }, "FAKE"],
        [text, "REAL", "FAKE"],
        [{ ...text, toolCallBehaviour: "REAL" }, "REAL"],
      ],
    );
  });

  it("are refused before anything is made of them when there are too many repeats", async () => {
    const evaluationPersonas = [{ name: "hasty", displayName: "Hasty", personality: "Hurries." }];
    await rest("PATCH", `${app}?updateMask=evaluationPersonas`, { evaluationPersonas });
    const scenario = { task: "Ask where it is.", maxTurns: 1 };
    const { name } = await rest("POST", `${app}/evaluations`, { displayName: "Asks as Hasty", scenario });
    const persona = (taskCount: number) => ({ persona: "Hasty", taskCount });
    const refused = (body: object, reason: RegExp) =>
      assert.rejects(rest("POST", `${app}:runEvaluation`, { evaluations: [name], ...body }), reason);

    await refused(
      { personaRunConfigs: [persona(1), persona(2_147_483_647)] },
      /persona_run_configs\[1\]\.task_count: Must be between 1 and 100, or 0 for 1; it is 2147483647/,
    );
    await refused({ personaRunConfigs: [persona(-1)] }, /persona_run_configs\[0\]\.task_count: Must be/);
    await refused({ personaRunConfigs: Array(101).fill(persona(100)) }, /would have 10100 results; at most 10000/);
  });

  it("name the last change of the draft, and none for a version (EVAL-77)", async () => {
    await rest("PATCH", `${app}?updateMask=description`, { description: "Changed." });
    const [change] = (await rest("GET", `${app}/changelogs`)).changelogs;
    const { name: appVersion } = await rest("POST", `${app}/versions`, { displayName: "v1" });
    const ofDraft = await run({});
    const ofVersion = await run({ appVersion });
    const named = ({ run: ran, results }: Awaited<ReturnType<typeof run>>) =>
      [ran, ...results].map(({ changelog, changelogCreateTime }) => [changelog, changelogCreateTime]);
    const { changelogs } = await rest("GET", `${app}/changelogs`);
    const last = changelogs.find(({ name }: { name: string }) => name === ofDraft.run.changelog);
    assert.ok(last && last.createTime >= change.createTime);
    assert.deepEqual(named(ofDraft), Array(2).fill([last.name, last.createTime]));
    assert.deepEqual(named(ofVersion), Array(2).fill([undefined, undefined]));
  });

  it("group their failures by cause when a loss report is wanted, without a model (EVAL-76)", async () => {
    const wrong = [{ expectation: { toolCall: { tool: `${app}/tools/the-find-order`, args: { count: 7 } } } }];
    const steps = [{ userInput: { text: USER } }, ...wrong, { expectation: { updatedVariables: { never_set: 1 } } }];
    const body = { displayName: "Fails twice", golden: { turns: [{ steps: [...steps, HERE] }] } };
    const { name } = await rest("POST", `${app}/evaluations`, body);
    const optimizationConfig = { generateLossReport: true };

    const { run: ran } = await run({ optimizationConfig }, [name, `${app}/evaluations/the-golden`]);

    assert.deepEqual(ran.optimizationConfig, {
      generateLossReport: true,
      status: "COMPLETED",
      reportSummary: "1 of 2 results failed: tool call parameters (1), variables (1).",
      lossReport: {
        losses: ["tool call parameters", "variables"].map((cause) => ({ cause, count: 1, evaluations: [name] })),
      },
    });
  });

  it("run against the version that a deployment serves, or against the draft when it serves that (EVAL-74)", async () => {
    const { name: appVersion } = await rest("POST", `${app}/versions`, { displayName: "First" });
    const channelProfile = { channelType: "API" };
    const deployments = await Promise.all(
      [appVersion, `${app}/versions/-`].map((version) =>
        rest("POST", `${app}/deployments`, { displayName: "Live", appVersion: version, channelProfile }),
      ),
    );

    const runs = await Promise.all(deployments.map(({ name: deployment }) => run({ deployment })));

    assert.deepEqual(
      runs.map(({ run: ran }) => [ran.appVersion, ran.appVersionDisplayName, ran.progress.passedCount]),
      [
        [appVersion, "First", 1],
        [undefined, undefined, 1],
      ],
    );
  });

  it("refuse a version and a deployment together, and unknown and foreign deployments", async () => {
    const evaluations = [`${app}/evaluations/the-golden`];
    for (const [body, message] of [
      [
        { appVersion: `${app}/versions/one-version`, deployment: `${app}/deployments/one-deployment` },
        /app_version or deployment/,
      ],
      [{ deployment: `${app}/deployments/unknown-one` }, /unknown-one/],
      [{ deployment: `${app}-2/deployments/unknown-one` }, /is not a deployment of/],
    ] as const) {
      await assert.rejects(rest("POST", `${app}:runEvaluation`, { evaluations, ...body }), message);
    }
  });

  it("compare the call that the model made, whatever a callback changed before the tool ran (EVAL-111)", async () => {
    model.steps.set("Two mugs?", [
      { calls: [{ name: "find_order", args: { item: "mug", count: 2 } }] },
      { say: "Here." },
    ]);
    const pythonCode = 'def before_tool_callback(tool, input, callback_context):\n    input["item"] = "cup"\n';
    await rest("PATCH", `${app}/agents/the-host?updateMask=beforeToolCallbacks`, {
      beforeToolCallbacks: [{ pythonCode }],
    });
    const expecting = async (item: string) => {
      const expectations = [
        { toolCall: { tool: `${app}/tools/the-find-order`, args: { item, count: 2 } } },
        { updatedVariables: { last_find_order: "cup 2" } },
        HERE.expectation,
      ];
      const steps = [{ userInput: { text: "Two mugs?" } }, ...expectations.map((expectation) => ({ expectation }))];
      const body = { displayName: `Expects ${item}`, golden: { turns: [{ steps }] } };
      const { name } = await rest("POST", `${app}/evaluations`, body);
      const { results } = await run({}, [name]);
      return results[0].evaluationStatus;
    };

    const statuses = [await expecting("mug"), await expecting("cup")];
    await rest("PATCH", `${app}/agents/the-host?updateMask=beforeToolCallbacks`, { beforeToolCallbacks: [] });

    assert.deepEqual(statuses, ["PASS", "FAIL"]);
  });

  it("do not measure a golden whose tool is gone, and go on with others (EVAL-75)", async () => {
    await rest("POST", `${app}/tools?toolId=short-lived`, {
      pythonFunction: { name: "short_lived", pythonCode: "def short_lived():\n    return 1" },
    });
    const steps = [
      { userInput: { text: USER } },
      { expectation: { toolCall: { tool: `${app}/tools/short-lived`, args: {} } } },
    ];
    const gone = await rest("POST", `${app}/evaluations`, {
      displayName: "Needs a tool",
      golden: { turns: [{ steps }] },
    });
    await rest("DELETE", `${app}/tools/short-lived?force=true`);

    const { run: ran, results } = await run({}, [gone.name, `${app}/evaluations/the-golden`]);

    const [unmeasured, passed] = results;
    assert.deepEqual([unmeasured.evaluationStatus, unmeasured.executionState], ["SKIPPED", "ERROR"]);
    assert.match(unmeasured.errorInfo.errorMessage, /turn 1 names the tool '.*short-lived'.*Change the golden/);
    assert.equal(passed.evaluationStatus, "PASS");
    assert.deepEqual(ran.progress, { totalCount: 2, completedCount: 1, passedCount: 1, errorCount: 1 });
  });
});
