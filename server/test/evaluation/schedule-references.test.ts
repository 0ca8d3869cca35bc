import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { createTurnApp } from "../conformance/turn-app.ts";
import { type Rest, restOf } from "../rest.ts";
import { operationsDone } from "./operations-done.ts";

const PERSONAS = [{ name: "hasty", displayName: "Hasty", personality: "Hurries." }];

describe("what a schedule names (EVAL-108)", () => {
  let server: TestServer;
  let rest: Rest;
  let app: string;
  const clock = { time: Date.parse("2026-03-01T00:00:00Z"), now: () => clock.time };

  before(async () => {
    server = await startTestServer({ clock });
    rest = restOf(() => server);
    app = await createTurnApp(server.address, "schedules-app", { agents: { Host: {} } });
    await rest("PATCH", `${app}?updateMask=evaluationPersonas`, { evaluationPersonas: PERSONAS });
    for (const id of ["first-one", "second-one"]) {
      const golden = { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] };
      await rest("POST", `${app}/evaluations?evaluationId=${id}`, { displayName: id, golden });
    }
  });
  after(() => server[Symbol.asyncDispose]());

  const evaluations = () => ["first-one", "second-one"].map((id) => `${app}/evaluations/${id}`);
  const schedule = (id: string, request: object) =>
    rest("POST", `${app}/scheduledEvaluationRuns?scheduledEvaluationRunId=${id}`, {
      displayName: id,
      active: true,
      request: { app, evaluations: evaluations(), ...request },
      schedulingConfig: { frequency: "DAILY", startTime: "2026-03-02T00:00:00Z" },
    });
  const asPersona = (persona: string) => ({ personaRunConfigs: [{ persona: "Hasty" }, { persona }] });

  it("is refused by the name of its field when the app does not have it", async () => {
    for (const [request, sentence] of [
      [{ evaluations: [`${app}/evaluations/no-one`] }, /request\.evaluations\[0\]: .*evaluations\/no-one.* not found/],
      [{ evaluationDataset: `${app}/evaluationDatasets/no-one` }, /request\.evaluation_dataset: .* not found/],
      [{ appVersion: `${app}/versions/no-one` }, /request\.app_version: .* not found/],
      [{ deployment: `${app}/deployments/no-one` }, /request\.deployment: .* not found/],
      [asPersona("Patient"), /request\.persona_run_configs\[1\]\.persona: 'Patient' is not .*; it has 'Hasty'\./],
      [{ continuedRun: `${app}/evaluationRuns/no-one` }, /request\.continued_run: A schedule continues no other run/],
      [{ includeFailedEvaluations: true }, /request\.include_failed_evaluations: A schedule continues no/],
    ] as const)
      await assert.rejects(schedule("refused-one", request), sentence);
  });

  it("may be deleted later: the others run, and who has none, or no such persona, tells so in a run of its own", async () => {
    await rest("POST", `${app}/evaluations?evaluationId=third-one`, {
      displayName: "third-one",
      golden: { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] },
    });
    const third = `${app}/evaluations/third-one`;
    const some = await schedule("some-are-left", { evaluations: [...evaluations(), third] });
    const none = await schedule("none-is-left", { evaluations: [third] });
    const persona = await schedule("as-hasty", asPersona("Hasty"));
    await assert.rejects(rest("DELETE", third), /still referenced by .*none-is-left \(request\.evaluations\[0\]\)/);
    await rest("DELETE", `${third}?force=true`);
    await rest("PATCH", `${app}?updateMask=evaluationPersonas`, { evaluationPersonas: [] });

    clock.time = Date.parse("2026-03-02T00:00:05Z");
    await server.app.schedules.pass(new AbortController().signal);
    await operationsDone(restOf(() => server));

    const { evaluationRuns } = await rest("GET", `${app}/evaluationRuns`);
    const of = ({ name }: { name: string }) =>
      evaluationRuns.find((run: { scheduledEvaluationRun: string }) => run.scheduledEvaluationRun === name);
    assert.deepEqual([of(some).state, of(some).evaluations], ["COMPLETED", evaluations()]);
    assert.deepEqual([of(none).state, of(persona).state], ["ERROR", "ERROR"]);
    assert.match(of(none).errorInfo.errorMessage, /Name evaluations, an evaluation_dataset/);
    assert.match(of(persona).errorInfo.errorMessage, /'Hasty' is not a persona of the app .*; it has none\./);

    const whole = await rest("GET", persona.name);
    const paused = await rest("PATCH", `${persona.name}?updateMask=active`, { ...whole, active: false });
    assert.equal(paused.active ?? false, false, "what is gone does not keep a schedule from being stopped");
    await assert.rejects(
      rest("PATCH", `${persona.name}?updateMask=request`, { request: whole.request }),
      /request\.persona_run_configs\[0\]\.persona: 'Hasty'/,
    );
  });
});
