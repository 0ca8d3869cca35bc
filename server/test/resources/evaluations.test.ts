import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  EvaluationResultSchema,
  EvaluationRunSchema,
  EvaluationResult_ExecutionState as ExecutionState,
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
} from "@frontdesk/protos/ces/evaluation";
import { APP, openResources, type TestResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

const SCENARIO = { inputs: { case: "scenario" as const, value: { task: "Buy a plant." } } };

async function withEvaluations(): Promise<TestResources> {
  const test = await openResources();
  for (const id of ["early", "later"]) {
    await test.call("createEvaluation", {
      parent: APP,
      evaluationId: id,
      evaluation: { displayName: id, ...SCENARIO },
    });
  }
  return test;
}

function run(id: string, evaluations: readonly string[], initiatedBy = "") {
  const names = evaluations.map((each) => `${APP}/evaluations/${each}`);
  const evaluationResults = names.map((name) => `${name}/results/${id}`);
  return create(EvaluationRunSchema, {
    name: `${APP}/evaluationRuns/${id}`,
    displayName: id,
    evaluations: names,
    initiatedBy,
    evaluationResults,
  });
}

function result(evaluation: string, id: string, executionState = ExecutionState.COMPLETED) {
  return create(EvaluationResultSchema, {
    name: `${APP}/evaluations/${evaluation}/results/${id}`,
    displayName: id,
    executionState,
  });
}

describe("evaluation runs and results", () => {
  it("are read through the standard methods after the server stored them", async () => {
    await using test = await withEvaluations();
    await test.resources.evaluationRecords.put(run("run-1", ["early"]), result("early", "run-1"));
    const stored = await test.call("getEvaluationRun", { name: `${APP}/evaluationRuns/run-1` });
    assert.deepEqual([stored.displayName, typeof stored.createTime?.seconds], ["run-1", "bigint"]);
    const { evaluationResults } = await test.call("listEvaluationResults", { parent: `${APP}/evaluations/early` });
    assert.deepEqual(
      evaluationResults.map(({ name }) => name),
      [`${APP}/evaluations/early/results/run-1`],
    );
    const { evaluationResults: all } = await test.call("listEvaluationResults", { parent: `${APP}/evaluations/-` });
    assert.deepEqual(all, evaluationResults);
  });

  it("are independent of the change log and the lock", async () => {
    await using test = await withEvaluations();
    await test.call("updateApp", { app: { name: APP, locked: true } });
    const before = await test.call("listChangelogs", { parent: APP });
    await test.resources.evaluationRecords.put(run("run-1", ["early"]), result("early", "run-1"));
    await test.call("deleteEvaluationRun", { name: `${APP}/evaluationRuns/run-1` });
    assert.deepEqual(await test.call("listChangelogs", { parent: APP }), before);
    const gone = test.call("getEvaluationResult", { name: `${APP}/evaluations/early/results/run-1` });
    assert.equal((await statusErrorOf(gone)).code, "NotFound");
  });

  it("show in their evaluation: runs, latest completed result, and the last ten on request", async () => {
    await using test = await withEvaluations();
    for (let index = 1; index <= 12; index++) {
      await test.resources.evaluationRecords.put(
        result("early", `result-${index}`, index === 12 ? ExecutionState.RUNNING : ExecutionState.COMPLETED),
      );
    }
    await test.resources.evaluationRecords.put(run("run-1", ["early", "later"]));
    const evaluation = await test.call("getEvaluation", { name: `${APP}/evaluations/early` });
    assert.deepEqual(
      [evaluation.evaluationRuns, evaluation.lastCompletedResult?.displayName, evaluation.lastTenResults],
      [[`${APP}/evaluationRuns/run-1`], "result-11", []],
    );
    const { evaluations } = await test.call("listEvaluations", { parent: APP, lastTenResults: true, orderBy: "name" });
    assert.deepEqual(
      evaluations.map(({ lastTenResults }) => lastTenResults.map(({ displayName }) => displayName)),
      [[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((index) => `result-${index}`), []],
    );
  });

  it("are deleted with their evaluation", async () => {
    await using test = await withEvaluations();
    await test.resources.evaluationRecords.put(result("early", "run-1"));
    await test.call("deleteEvaluation", { name: `${APP}/evaluations/early` });
    assert.deepEqual(
      (await test.call("listEvaluationResults", { parent: `${APP}/evaluations/-` })).evaluationResults,
      [],
    );
    assert.equal(
      (await statusErrorOf(test.call("listEvaluationResults", { parent: `${APP}/evaluations/early` }))).code,
      "NotFound",
    );
  });
});

describe("ListEvaluations", () => {
  const ids = async (test: TestResources, request: object) =>
    (await test.call("listEvaluations", { parent: APP, ...request })).evaluations.map(({ displayName }) => displayName);

  it("lists the latest change first by default", async () => {
    await using test = await withEvaluations();
    assert.deepEqual(await ids(test, {}), ["later", "early"]);
    await test.call("updateEvaluation", { evaluation: { name: `${APP}/evaluations/early`, description: "x" } });
    assert.deepEqual(await ids(test, {}), ["early", "later"]);
    assert.deepEqual(await ids(test, { orderBy: "create_time" }), ["later", "early"]);
    assert.deepEqual(await ids(test, { orderBy: "create_time asc" }), ["early", "later"]);
    assert.deepEqual(await ids(test, { orderBy: "name" }), ["early", "later"]);
  });

  it("filters by dataset and by run", async () => {
    await using test = await withEvaluations();
    const evaluationDataset = { displayName: "Nightly", evaluations: [`${APP}/evaluations/later`] };
    await test.call("createEvaluationDataset", { parent: APP, evaluationDatasetId: "nightly", evaluationDataset });
    await test.resources.evaluationRecords.put(
      run("run-1", ["early"], "mia@example.com"),
      run("run-2", ["later"], "tom@example.com"),
    );
    assert.deepEqual(await ids(test, { evaluationFilter: "evaluation_datasets:nightly" }), ["later"]);
    assert.deepEqual(await ids(test, { filter: "display_name:ear" }), ["early"]);
    assert.deepEqual(await ids(test, { evaluationRunFilter: 'initiated_by = "mia@example.com"' }), ["early"]);
    assert.deepEqual(
      await ids(test, { evaluationRunFilter: 'initiated_by = ("mia@example.com" OR "ann@example.com")' }),
      ["early"],
    );
    assert.deepEqual(
      await ids(test, {
        evaluationRunFilter: 'initiated_by = "mia@example.com"',
        evaluationFilter: "evaluation_datasets:nightly",
      }),
      [],
    );
    const statusError = await statusErrorOf(
      test.call("listEvaluations", { parent: APP, evaluationRunFilter: "nonsense = 1" }),
    );
    assert.deepEqual(statusError, {
      code: "InvalidArgument",
      violations: {
        evaluation_run_filter: "The filter is wrong at character 1: EvaluationRun has no field 'nonsense'.",
      },
    });
  });
});

describe("DeleteEvaluation", () => {
  it("fails while datasets refer to it, and removes it from them with force", async () => {
    await using test = await withEvaluations();
    const evaluationDataset = {
      displayName: "Nightly",
      evaluations: ["early", "later"].map((id) => `${APP}/evaluations/${id}`),
    };
    const { name } = await test.call("createEvaluationDataset", { parent: APP, evaluationDataset });
    const statusError = await statusErrorOf(test.call("deleteEvaluation", { name: `${APP}/evaluations/early` }));
    assert.equal(statusError.code, "FailedPrecondition");
    await test.call("deleteEvaluation", { name: `${APP}/evaluations/early`, force: true });
    assert.deepEqual((await test.call("getEvaluationDataset", { name })).evaluations, [`${APP}/evaluations/later`]);
  });
});

describe("a scheduled evaluation run", () => {
  const schedule = (more: object = {}) => ({
    displayName: "Nightly",
    request: { evaluations: [`${APP}/evaluations/early`] },
    schedulingConfig: { frequency: Frequency.DAILY, startTime: { seconds: 1n } },
    ...more,
  });

  it("runs against its own app by default", async () => {
    await using test = await withEvaluations();
    const made = await test.call("createScheduledEvaluationRun", { parent: APP, scheduledEvaluationRun: schedule() });
    assert.equal(made.request?.app, APP);
  });

  it("gets the fields of its runs without a new etag", async () => {
    await using test = await withEvaluations();
    const made = await test.call("createScheduledEvaluationRun", { parent: APP, scheduledEvaluationRun: schedule() });
    await test.call("updateApp", { app: { name: APP, locked: true } });
    const log = await test.call("listChangelogs", { parent: APP });
    await test.resources.evaluationRecords.annotate(made.name, {
      totalExecutions: 3,
      nextScheduledExecutionTime: create(TimestampSchema, { seconds: 9n }),
    });
    const stored = await test.call("getScheduledEvaluationRun", { name: made.name });
    assert.deepEqual([stored.totalExecutions, stored.nextScheduledExecutionTime?.seconds], [3, 9n]);
    assert.deepEqual([stored.etag, stored.updateTime, stored.displayName], [made.etag, made.updateTime, "Nightly"]);
    assert.deepEqual(await test.call("listChangelogs", { parent: APP }), log);
    const gone = test.resources.evaluationRecords.annotate(`${made.name}-not`, { totalExecutions: 1 });
    assert.equal((await statusErrorOf(gone)).code, "NotFound");
  });

  it("is rejected for impossible days and without evaluations", async () => {
    await using test = await withEvaluations();
    const wrong = schedule({
      request: {},
      schedulingConfig: { frequency: Frequency.DAILY, startTime: { seconds: 1n }, daysOfWeek: [0, 7] },
    });
    assert.deepEqual(
      await statusErrorOf(test.call("createScheduledEvaluationRun", { parent: APP, scheduledEvaluationRun: wrong })),
      {
        code: "InvalidArgument",
        violations: {
          "scheduled_evaluation_run.scheduling_config.days_of_week[0]": "A day is between 1 (Monday) and 7 (Sunday).",
          "scheduled_evaluation_run.scheduling_config.days_of_week": "Days can only be given for WEEKLY and BIWEEKLY.",
          "scheduled_evaluation_run.request": "Name evaluations, an evaluation_dataset, or both.",
        },
      },
    );
  });

  it("can be filtered by its evaluations and ordered by time", async () => {
    await using test = await withEvaluations();
    const other = schedule({ displayName: "Weekly", request: { evaluations: [`${APP}/evaluations/later`] } });
    await test.call("createScheduledEvaluationRun", { parent: APP, scheduledEvaluationRun: schedule() });
    await test.call("createScheduledEvaluationRun", { parent: APP, scheduledEvaluationRun: other });
    const names = async (request: object) =>
      (await test.call("listScheduledEvaluationRuns", { parent: APP, ...request })).scheduledEvaluationRuns.map(
        ({ displayName }) => displayName,
      );
    assert.deepEqual(await names({ filter: "request.evaluations:early" }), ["Nightly"]);
    assert.deepEqual(await names({ orderBy: "next_scheduled_execution" }), ["Nightly", "Weekly"]);
    assert.deepEqual(await names({ orderBy: "last_completed_run.create_time asc" }), ["Nightly", "Weekly"]);
  });
});
