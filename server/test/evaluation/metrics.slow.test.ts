import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { createTurnApp } from "../conformance/turn-app.ts";
import { finished, type Rest, restOf } from "../rest.ts";
import { failedMetrics, type TurnResult } from "./failed-metrics.ts";
import { DialogueModel, GENERATED_APP } from "./generated-dialogues.ts";
import { MATCHING_CASES } from "./matching-cases.ts";
import { type MetricCase, THRESHOLD_CASES } from "./metric-cases.ts";

const CASES = [...THRESHOLD_CASES, ...MATCHING_CASES];

/** Makes the evaluation of a case; the user's text is the case's name. */
async function createCase(
  rest: Rest,
  app: string,
  { name, expects, turn, golden, evaluation }: MetricCase,
  user: string,
): Promise<string> {
  const steps = [{ userInput: { text: user } }, ...expects.map((expectation) => ({ expectation }))];
  const body = { displayName: name, golden: { turns: [{ steps, ...turn }], ...golden }, ...evaluation };
  const created = await rest("POST", `${app}/evaluations`, JSON.parse(JSON.stringify(body).replaceAll("$APP", app)));
  return created.name;
}

/** Runs the cases of one app and returns the results in their order. */
async function runCases(rest: Rest, app: string, cases: readonly MetricCase[], users: readonly string[]) {
  const evaluations: string[] = [];
  for (const [at, one] of cases.entries()) evaluations.push(await createCase(rest, app, one, users[at] ?? ""));
  const operation = await finished(rest, await rest("POST", `${app}:runEvaluation`, { evaluations }));
  assert.equal(operation.error, undefined);
  const { evaluationResults } = await rest("GET", operation.response.evaluationRun);
  return Promise.all(evaluationResults.map((name: string) => rest("GET", name)));
}

describe("every metric, on both sides of what it decides", () => {
  const model = new DialogueModel();
  const results = new Map<MetricCase, TurnResult>();
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ model });
    const rest = restOf(() => server);
    const byApp = Map.groupBy(CASES, ({ app = {} }) => JSON.stringify(app));
    for (const [settings, cases] of byApp) {
      const id = `cases-${results.size}`;
      const users = cases.map((_, at) => `${id} ${at}`);
      for (const [at, { does }] of cases.entries()) model.steps.set(users[at] ?? "", does);
      const sketch = { ...GENERATED_APP, app: { ...GENERATED_APP.app, ...JSON.parse(settings) } };
      const app = await createTurnApp(server.address, id, sketch);
      const found = await runCases(rest, app, cases, users);
      for (const [at, one] of cases.entries()) results.set(one, found[at]);
    }
  });
  after(() => server[Symbol.asyncDispose]());

  for (const one of CASES)
    it(`${one.name}: ${one.status}`, () => {
      const { evaluationStatus, executionState, goldenResult } = results.get(one);
      const failed = goldenResult?.turnReplayResults.flatMap(failedMetrics);
      assert.deepEqual(
        { evaluationStatus, executionState, failed },
        { evaluationStatus: one.status, executionState: "COMPLETED", failed: one.failed ?? [] },
        JSON.stringify(goldenResult, null, 1),
      );
      assert.partialDeepStrictEqual(goldenResult.turnReplayResults[0], one.has ?? {});
    });
});
