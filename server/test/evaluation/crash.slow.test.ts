import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startTestServer } from "#testing";
import { startServerProcess } from "../flows/server-process.ts";
import { finished, restOf } from "../rest.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const RESULTS = 60;

test("a run whose server was killed goes on after a restart: no result twice, none lost, of the same draft (EVAL-16, EVAL-96)", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-evaluation-crash-"));
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const { operation, run, before } = await killInTheMiddle(dataDir);

  await using server = await startTestServer({ dataDir });
  const rest = restOf(() => server);
  const ended = await finished(rest, await rest("GET", operation));
  const { state, progress, evaluationResults } = await rest("GET", run);

  assert.equal(ended.error, undefined);
  assert.deepEqual([state, progress.completedCount, progress.passedCount], ["COMPLETED", RESULTS, RESULTS]);
  assert.equal(new Set(evaluationResults).size, RESULTS);
  const filter = encodeURIComponent(`evaluation_run="${run}"`);
  const listed = await rest("GET", `${APP}/evaluations/-/results?pageSize=1000&filter=${filter}`);
  assert.deepEqual(namesOf(listed.evaluationResults), evaluationResults.toSorted());
  const after = new Map(listed.evaluationResults.map((result: { name: string }) => [result.name, result]));
  for (const result of before)
    assert.deepEqual(after.get(result.name), result, "a result that was known is not scored again");
});

/** Starts a run in a process of its own, and kills that when some of the results are known. */
async function killInTheMiddle(dataDir: string) {
  await using server = await startServerProcess(dataDir);
  const rest = restOf(() => server);
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const names = namesOf(evaluations);
  const runCount = RESULTS / names.length;
  const { name: operation, metadata } = await rest("POST", `${APP}:runEvaluation`, { evaluations: names, runCount });
  const run: string = metadata.evaluationRun;
  let before: readonly { name: string }[] = [];
  while (before.length < RESULTS / 10) {
    await delay(20);
    const filter = encodeURIComponent(`evaluation_run="${run}" AND execution_state=COMPLETED`);
    const { evaluationResults = [] } = await rest("GET", `${APP}/evaluations/-/results?pageSize=1000&filter=${filter}`);
    before = evaluationResults;
  }
  // Without a root agent no conversation starts: what the draft is from now on fails every case.
  await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: "" });
  assert.ok(before.length < RESULTS, `the run was over before the server was killed: ${before.length} results`);
  return { operation, run, before };
}

function namesOf(resources: readonly { readonly name: string }[]): readonly string[] {
  return resources.map(({ name }) => name).sort();
}
