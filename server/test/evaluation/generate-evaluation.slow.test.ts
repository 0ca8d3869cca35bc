import assert from "node:assert/strict";
import { test } from "node:test";
import { ScriptedModel, say, startTestServer } from "#testing";
import { finished, type Rest, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const SESSION = `${APP}/sessions/a-return`;
const CONVERSATION = `${APP}/conversations/a-return`;

/** A conversation with an event, variables, transfers and tools. */
const TURNS = [
  [{ variables: { customer_name: "Ada" } }, { event: { event: "welcome" } }],
  [{ text: "Where is my order A-1001?" }],
  [{ text: "I want to return it" }],
  [{ text: "It arrived broken" }],
];

async function talk(rest: Rest): Promise<void> {
  for (const inputs of TURNS) await rest("POST", `${SESSION}:runSession`, { config: { session: SESSION }, inputs });
}

/** The result of an operation. */
for (const goldenRunMethod of ["STABLE", "NAIVE"]) {
  test(`a golden that is generated from a conversation passes: ${goldenRunMethod}`, async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);
    await talk(rest);

    const generated = await finished(rest, await rest("POST", `${CONVERSATION}:generateEvaluation`, {}));
    const { name, displayName, golden } = generated.response;
    const evaluations = [name];
    const ran = await finished(rest, await rest("POST", `${APP}:runEvaluation`, { evaluations, goldenRunMethod }));
    const run = await rest("GET", ran.response.evaluationRun);
    const result = await rest("GET", run.evaluationResults[0]);

    assert.equal(displayName, "Golden from a-return");
    assert.equal(golden.turns.length, TURNS.length);
    assert.equal(result.evaluationStatus, "PASS", JSON.stringify(result, null, 1));
  });
}

test("a scenario is written by the model; without one the error says what to do", async () => {
  const answer = {
    task: "Return a mug.",
    user_facts: [{ name: "order", value: "A-1001" }],
    rubrics: ["It is polite."],
  };
  const model = new ScriptedModel(say("Hello."), say(JSON.stringify(answer)));
  await using server = await startTestServer({ example: true, model });
  const rest = restOf(() => server);
  const inputs = [{ text: "Hello" }];
  await rest("POST", `${SESSION}:runSession`, { config: { session: SESSION }, inputs });

  const body = { evaluationType: "SCENARIO" };
  const { response } = await finished(rest, await rest("POST", `${CONVERSATION}:generateEvaluation`, body));

  assert.equal(response.scenario.task, "Return a mug.");
  assert.deepEqual(response.scenario.userFacts, [{ name: "order", value: "A-1001" }]);

  await using offline = await startTestServer({ example: true });
  const offlineRest = restOf(() => offline);
  await offlineRest("POST", `${SESSION}:runSession`, { config: { session: SESSION }, inputs });
  const refused = await finished(offlineRest, await offlineRest("POST", `${CONVERSATION}:generateEvaluation`, body));
  assert.match(refused.error.message, /Configure a model, or generate a golden/);
});
