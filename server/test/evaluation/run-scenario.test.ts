import assert from "node:assert/strict";
import { test } from "node:test";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { EvaluationResultSchema } from "@frontdesk/protos/ces/evaluation";
import { resultReasons } from "#evaluation";
import type { ModelRequest } from "#models";
import { startTestServer } from "#testing";
import { finished, type Rest, restOf } from "../rest.ts";
import { playing } from "./playing-model.ts";

const APP = "projects/local/locations/us/apps/corner-cafe";

/** Runs one scenario once in an app with one agent, and returns its result. */
async function runScenario(
  rest: Rest,
  scenario: object,
  options: object = { runCount: 1 },
  evaluationMetricsConfigOverride?: object,
) {
  await rest("POST", "projects/local/locations/us/apps?appId=corner-cafe", { displayName: "Cafe" });
  await rest("POST", `${APP}/agents?agentId=host-agent`, {
    displayName: "Host",
    instruction: "Answer questions about the cafe.",
  });
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/host-agent` });
  const { name } = await rest("POST", `${APP}/evaluations`, {
    displayName: "Hours",
    scenario,
    evaluationMetricsConfigOverride,
  });
  const operation = await finished(
    rest,
    await rest("POST", `${APP}:runEvaluation`, { evaluations: [name], ...options }),
  );
  assert.equal(operation.error, undefined);
  const run = await rest("GET", operation.response.evaluationRun);
  return { run, result: await rest("GET", run.evaluationResults[0]) };
}

/** What reports say of why a result did not pass. */
const reasonsOf = (result: JsonValue) => resultReasons(fromJson(EvaluationResultSchema, result));

const HOURS = {
  task: "Find out when the cafe opens.",
  rubrics: ["The agent is polite."],
  userFacts: [{ name: "city", value: "Berlin" }],
  scenarioExpectations: [{ agentResponse: { role: "agent", chunks: [{ text: "We open at nine." }] } }],
};

test("a scenario whose user gets what it wants passes, with every part of its result", async () => {
  let asked = 0;
  const model = playing({
    user: () => (asked++ === 0 ? { leaves: false, text: "When do you open?" } : { leaves: true, text: "" }),
  });
  await using server = await startTestServer({ model });

  const { result, run } = await runScenario(
    restOf(() => server),
    HOURS,
  );

  const { conversation, ...scenarioResult } = result.scenarioResult;
  assert.deepEqual([result.evaluationStatus, result.executionState], ["PASS", "COMPLETED"]);
  assert.match(conversation, /conversations\/eval-/);
  assert.equal(scenarioResult.taskCompleted, true);
  assert.equal(scenarioResult.userGoalSatisfactionResult.label, "User Task Satisfied");
  assert.deepEqual(scenarioResult.rubricOutcomes, [
    { rubric: "The agent is polite.", score: 1, scoreExplanation: "It does." },
  ]);
  assert.equal(scenarioResult.expectationOutcomes[0].outcome, "PASS");
  assert.equal(run.evaluationType, "SCENARIO");
});

test("a user whose task is not satisfied fails, unless the scenario wants it rejected or ignored", async () => {
  for (const [userGoalBehavior, status] of [
    ["USER_GOAL_SATISFIED", "FAIL"],
    ["USER_GOAL_REJECTED", "PASS"],
    ["USER_GOAL_IGNORED", "PASS"],
  ]) {
    const judge = (metric: string) => ({ explanation: "No.", score: metric === "user-goal" ? 0 : 1 });
    let asked = 0;
    const user = () => ({ leaves: asked++ > 0, text: "When do you open?" });
    await using server = await startTestServer({ model: playing({ user, judge }) });
    const { result } = await runScenario(
      restOf(() => server),
      { ...HOURS, userGoalBehavior },
    );
    assert.equal(result.evaluationStatus, status, userGoalBehavior);
    const reasons = status === "FAIL" ? ["user's goal: failed", "  why      User Task Not Satisfied No."] : [];
    assert.deepEqual(reasonsOf(result), reasons);
  }
});

test("what is not the app's fault is not measured: a user that leaves its brief, a judge that answers nonsense", async () => {
  const user = () => ({ leaves: false, text: "When do you open?" });
  const cases = [
    {
      judge: (metric: string) => ({ explanation: "It invented a name.", score: metric === "user-simulation" ? 0 : 1 }),
      type: "USER_SIMULATION_FAILURE",
    },
    {
      judge: (metric: string) => (metric === "user-goal" ? "I would say yes" : { explanation: "", score: 1 }),
      type: undefined,
    },
  ];
  for (const { judge, type } of cases) {
    await using server = await startTestServer({ model: playing({ user, judge }) });
    const { result, run } = await runScenario(
      restOf(() => server),
      { ...HOURS, maxTurns: 2 },
    );
    assert.equal(result.evaluationStatus, "SKIPPED");
    assert.equal(result.errorInfo?.errorType, type);
    assert.equal(run.progress.failedCount ?? 0, 0);
  }
});

test("a user whose model answers nonsense twice, or that leaves without a word, says nothing about the app (EVAL-112)", async () => {
  const silent = [
    [() => ({}), /neither says something nor leaves: \{\}/, 2],
    [() => ({ leaves: "no", message: "When do you open?" }), /neither says something nor leaves/, 2],
    [() => ({ leaves: true, text: "" }), /left before it said anything\. Say in the task what the user wants/, 1],
  ] as const;
  for (const [answer, message, times] of silent) {
    let asked = 0;
    const judged: string[] = [];
    const user = () => {
      asked += 1;
      return answer();
    };
    const judge = (metric: string) => {
      judged.push(metric);
      return { explanation: "No.", score: 0 };
    };
    await using server = await startTestServer({ model: playing({ user, judge }) });
    const { result, run } = await runScenario(
      restOf(() => server),
      HOURS,
    );
    assert.deepEqual([result.evaluationStatus, result.executionState, asked], ["SKIPPED", "ERROR", times]);
    assert.equal(result.errorInfo.errorType, "USER_SIMULATION_FAILURE");
    assert.match(result.errorInfo.userFacingErrorMessage, message);
    assert.deepEqual([run.progress.errorCount, run.progress.failedCount ?? 0, judged], [1, 0, []]);
  }
});

test("a user whose model answers nonsense once is asked again, in the language of its task", async () => {
  const systems: string[] = [];
  const user = ({ system }: ModelRequest) => {
    systems.push(system);
    return [{}, { leaves: false, text: "いつ開きますか" }, { leaves: true }][systems.length - 1] ?? {};
  };
  await using server = await startTestServer({ model: playing({ user }) });
  const { result } = await runScenario(
    restOf(() => server),
    { ...HOURS, task: "カフェがいつ開くか尋ねる。" },
  );
  assert.deepEqual([result.evaluationStatus, systems.length], ["PASS", 3]);
  assert.match(systems[0] ?? "", /in the language of the task/);
});

test("a judge's score may be written as a text, as small models write it", async () => {
  let asked = 0;
  const user = () => ({ leaves: asked++ > 0, text: "When do you open?" });
  const judge = () => ({ explanation: "It does.", score: " 1 " });
  await using server = await startTestServer({ model: playing({ user, judge }) });
  const { result } = await runScenario(
    restOf(() => server),
    HOURS,
  );
  assert.equal(result.evaluationStatus, "PASS");
});

test("without a model that could play the user, a scenario is not measured and says what to do", async () => {
  await using server = await startTestServer();

  const { result } = await runScenario(
    restOf(() => server),
    HOURS,
  );

  assert.deepEqual([result.evaluationStatus, result.executionState], ["SKIPPED", "ERROR"]);
  assert.equal(result.errorInfo.errorType, "USER_SIMULATION_FAILURE");
  assert.match(result.errorInfo.userFacingErrorMessage, /Configure a model, or give each milestone a static_utterance/);
});

test("a simulation goes on to the next milestone when the criterion of the present one is met", async () => {
  let judged = 0;
  const judge = (metric: string) => ({ explanation: "", score: metric === "milestone" && judged++ === 0 ? 0 : 1 });
  const heard: string[] = [];
  const agent = ({ messages }: ModelRequest) => {
    const last = messages.at(-1)?.parts.at(-1);
    heard.push(last?.kind === "text" ? last.text : "");
    return "We open at nine.";
  };
  const model = playing({ judge, agent, user: () => ({ leaves: false, text: "And when exactly?" }) });
  await using server = await startTestServer({ model });

  const { result } = await runScenario(
    restOf(() => server),
    {
      ...HOURS,
      milestones: [
        {
          goal: "Hear the hours",
          successCriteria: "The agent says when it opens.",
          staticUtterance: "When do you open?",
        },
        { goal: "Say goodbye", staticUtterance: "Thank you, bye!" },
      ],
    },
  );

  assert.equal(result.evaluationStatus, "PASS");
  assert.deepEqual(heard, ["When do you open?", "And when exactly?", "Thank you, bye!"]);
});

test("a milestone that is not reached within its turns fails the case", async () => {
  const judge = (metric: string) => ({ explanation: "It never says when.", score: metric === "milestone" ? 0 : 1 });
  const model = playing({ judge, user: () => ({ leaves: false, text: "And when exactly?" }) });
  await using server = await startTestServer({ model });

  const { result } = await runScenario(
    restOf(() => server),
    {
      ...HOURS,
      milestones: [
        { goal: "Hear the hours", successCriteria: "The agent says when.", maxTurnCount: 3, staticUtterance: "Hello" },
      ],
    },
  );

  assert.equal(result.evaluationStatus, "FAIL");
  assert.equal(result.scenarioResult.taskCompleted, false);
  const reasons = reasonsOf(result);
  assert.equal(reasons[0], "milestones: failed");
  assert.match(reasons[1] ?? "", /why +.*It never says when\./);
  assert.equal(reasons.length, 2, "the user's goal was satisfied");
});

test("personas of the request play the scenario, each as often as it says", async () => {
  const briefs: string[] = [];
  const user = ({ system }: ModelRequest) => {
    briefs.push(system);
    return { leaves: briefs.length % 2 === 0, text: "When do you open?" };
  };
  await using server = await startTestServer({ model: playing({ user }) });
  const rest = restOf(() => server);
  await rest("POST", "projects/local/locations/us/apps?appId=corner-cafe", {
    displayName: "Cafe",
    evaluationPersonas: [{ name: "p1", displayName: "Grumpy", personality: "Short of time and temper." }],
  });
  await rest("POST", `${APP}/agents?agentId=host-agent`, { displayName: "Host", instruction: "Answer." });
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/host-agent` });
  const { name } = await rest("POST", `${APP}/evaluations`, { displayName: "Hours", scenario: HOURS });

  const operation = await finished(
    rest,
    await rest("POST", `${APP}:runEvaluation`, {
      evaluations: [name],
      personaRunConfigs: [{ persona: "p1", taskCount: 2 }],
    }),
  );
  assert.equal(operation.error, undefined);
  const run = await rest("GET", operation.response.evaluationRun);

  assert.equal(run.evaluationResults.length, 2);
  const result = await rest("GET", run.evaluationResults[0]);
  assert.equal(result.persona.displayName, "Grumpy");
  assert.match(briefs[0] ?? "", /Personality: Short of time and temper\./);
});

test("a metric of scenarios that the app switches off neither counts nor asks a judge", async () => {
  const asked = new Set<string>();
  const judge = (metric: string) => {
    asked.add(metric);
    return { explanation: "No.", score: metric === "user-simulation" ? 1 : 0 };
  };
  let turns = 0;
  const user = () => ({ leaves: turns++ > 0, text: "When do you open?" });
  await using server = await startTestServer({ model: playing({ user, judge, agent: () => "At nine." }) });

  const { result } = await runScenario(
    restOf(() => server),
    { ...HOURS, rubrics: [] },
    { runCount: 1 },
    { scenarioMetricsConfig: { userGoalMetMetricsConfig: {}, expectationsMetMetricsConfig: {} } },
  );

  assert.equal(result.evaluationStatus, "PASS");
  assert.deepEqual([...asked], ["user-simulation"]);
});
