import assert from "node:assert/strict";
import { test } from "node:test";
import { ces_v1beta } from "googleapis/build/src/apis/ces/v1beta.js";
import { startTestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

test("the generated googleapis client runs evaluations, and reads, exports and deletes what came of it", async () => {
  await using server = await startTestServer({ example: true });
  const { locations } = new ces_v1beta.Ces({ rootUrl: `${server.address}/` }).projects;
  const { apps, operations } = locations;
  const finished = async ({ data }: { data: ces_v1beta.Schema$Operation }) => {
    let last = data;
    while (!last.done) last = (await operations.get({ name: last.name ?? "" })).data;
    assert.equal(last.error, undefined);
    return last.response ?? {};
  };

  const { evaluations = [] } = (await apps.evaluations.list({ parent: APP })).data;
  const names = evaluations.map(({ name }) => name ?? "");
  const ran = await finished(await apps.runEvaluation({ app: APP, requestBody: { evaluations: names } }));
  const { data: run } = await apps.evaluationRuns.get({ name: ran.evaluationRun });
  const [resultName = ""] = run.evaluationResults ?? [];
  const { data: result } = await apps.evaluations.results.get({ name: resultName });
  const exported = await finished(
    await apps.evaluations.export({ parent: APP, requestBody: { names, includeEvaluations: true } }),
  );
  await finished(await apps.evaluationRuns.delete({ name: run.name ?? "" }));

  assert.deepEqual([run.state, run.progress?.passedCount], ["COMPLETED", names.length]);
  assert.deepEqual([result.executionState, result.evaluationStatus], ["COMPLETED", "PASS"]);
  assert.match(Buffer.from(exported.evaluationsContent, "base64").toString(), /^\{\n {2}"evaluations"/);
  await assert.rejects(apps.evaluationRuns.get({ name: run.name ?? "" }), { status: 404 });
  await assert.rejects(apps.evaluations.results.get({ name: resultName }), { status: 404 });
});
