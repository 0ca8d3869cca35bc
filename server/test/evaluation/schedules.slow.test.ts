import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type Rest, restOf } from "../rest.ts";
import { operationsDone } from "./operations-done.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const SCHEDULE = `${APP}/scheduledEvaluationRuns/every-morning`;
const DAILY = { frequency: "DAILY", startTime: "2026-03-28T08:00:00Z" };

/** A clock that tests set. */
function clockAt(time: string) {
  let now = Date.parse(time);
  return {
    now: () => now,
    set: (next: string) => {
      now = Date.parse(next);
    },
  };
}

async function createSchedule(rest: Rest, fields: object = {}) {
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  return rest("POST", `${APP}/scheduledEvaluationRuns?scheduledEvaluationRunId=every-morning`, {
    displayName: "Every morning",
    active: true,
    request: { app: APP, evaluations: [evaluations[0].name] },
    schedulingConfig: DAILY,
    ...fields,
  });
}

/** Lets the scheduler look, waits for the runs that it started, and returns the schedule and all runs, oldest first. */
async function pass(server: TestServer) {
  const rest = restOf(() => server);
  await server.app.schedules.pass(new AbortController().signal);
  await operationsDone(rest);
  const { evaluationRuns = [] } = await rest("GET", `${APP}/evaluationRuns?orderBy=create_time%20asc`);
  return { schedule: await rest("GET", SCHEDULE), runs: evaluationRuns };
}

test("a daily schedule runs at its time of the app's zone, before and after clocks go forward (EVAL-42, EVAL-43)", async () => {
  const clock = clockAt("2026-03-27T12:00:00Z");
  await using server = await startTestServer({ example: true, clock });
  const rest = restOf(() => server);
  await rest("PATCH", `${APP}?updateMask=timeZoneSettings`, { timeZoneSettings: { timeZone: "Europe/Berlin" } });

  const created = await createSchedule(rest);
  const early = await pass(server);
  clock.set("2026-03-28T08:00:10Z");
  const first = await pass(server);
  const again = await pass(server);
  clock.set("2026-03-29T07:00:00Z");
  const second = await pass(server);

  assert.equal(created.nextScheduledExecutionTime, "2026-03-28T08:00:00Z");
  assert.equal(early.runs.length, 0);
  assert.deepEqual(
    [first, again, second].map(({ schedule, runs }) => [
      schedule.totalExecutions,
      schedule.nextScheduledExecutionTime,
      schedule.lastCompletedRun === runs.at(-1).name,
      runs.length,
    ]),
    [
      [1, "2026-03-29T07:00:00Z", true, 1],
      [1, "2026-03-29T07:00:00Z", true, 1],
      [2, "2026-03-30T07:00:00Z", true, 2],
    ],
  );
  const [run] = first.runs;
  assert.deepEqual([run.state, run.scheduledEvaluationRun], ["COMPLETED", SCHEDULE]);
  assert.equal(run.displayName, "Every morning run - 2026-03-28T08:00:00.000Z");
});

test("after a stop, a schedule runs once for all times that it missed, and its run says how many", async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-schedules-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const clock = clockAt("2026-03-27T12:00:00Z");
  {
    await using server = await startTestServer({ example: true, clock, dataDir });
    await createSchedule(restOf(() => server));
  }
  clock.set("2026-03-31T09:00:00Z");
  await using server = await startTestServer({ clock, dataDir });

  const { schedule, runs } = await pass(server);

  assert.equal(runs.length, 1);
  assert.equal(runs[0].displayName, "Every morning run - 2026-03-28T08:00:00.000Z (3 later times missed)");
  assert.deepEqual([schedule.totalExecutions, schedule.nextScheduledExecutionTime], [1, "2026-04-01T08:00:00Z"]);
});

test("a schedule that runs once does so, late if it must, and has no next time", async () => {
  const clock = clockAt("2026-03-29T12:00:00Z");
  await using server = await startTestServer({ example: true, clock });
  await createSchedule(
    restOf(() => server),
    { schedulingConfig: { frequency: "NONE", startTime: "2026-03-28T08:00:00Z" } },
  );

  await pass(server);
  clock.set("2026-04-29T12:00:00Z");
  const { schedule, runs } = await pass(server);

  assert.deepEqual([schedule.totalExecutions, schedule.nextScheduledExecutionTime, runs.length], [1, undefined, 1]);
});

test("an inactive schedule does not run, and has a next time again when it is active", async () => {
  const clock = clockAt("2026-03-27T12:00:00Z");
  await using server = await startTestServer({ example: true, clock });
  const rest = restOf(() => server);
  await createSchedule(rest);

  const stopped = await rest("PATCH", `${SCHEDULE}?updateMask=active`, { active: false });
  clock.set("2026-03-30T12:00:00Z");
  const { runs } = await pass(server);
  const active = await rest("PATCH", `${SCHEDULE}?updateMask=active`, { active: true });
  const moved = await rest("PATCH", `${SCHEDULE}?updateMask=schedulingConfig`, {
    schedulingConfig: { frequency: "WEEKLY", startTime: "2026-03-28T09:00:00Z", daysOfWeek: [3] },
  });

  assert.equal(stopped.nextScheduledExecutionTime, undefined);
  assert.equal(runs.length, 0);
  assert.equal(active.nextScheduledExecutionTime, "2026-03-31T08:00:00Z");
  assert.equal(moved.nextScheduledExecutionTime, "2026-04-01T09:00:00Z");
});

test("a change of the app's time zone moves the next time", async () => {
  const clock = clockAt("2026-07-27T12:00:00Z");
  await using server = await startTestServer({ example: true, clock });
  const rest = restOf(() => server);
  await createSchedule(rest, { schedulingConfig: { frequency: "DAILY", startTime: "2026-01-01T09:00:00Z" } });
  await rest("PATCH", `${APP}?updateMask=timeZoneSettings`, { timeZoneSettings: { timeZone: "Europe/Berlin" } });

  const { schedule } = await pass(server);

  assert.equal(schedule.nextScheduledExecutionTime, "2026-07-28T08:00:00Z");
});

test("a run that cannot start is stored with its error, and other schedules go on", async () => {
  const clock = clockAt("2026-03-27T12:00:00Z");
  await using server = await startTestServer({ example: true, clock });
  const rest = restOf(() => server);
  const dataset = await rest("POST", `${APP}/evaluationDatasets`, { displayName: "Empty" });
  await createSchedule(rest, {
    request: { app: APP, evaluationDataset: dataset.name, runCount: 3, config: { toolCallBehaviour: "FAKE" } },
  });
  clock.set("2026-03-28T08:00:00Z");

  const { schedule, runs } = await pass(server);

  assert.deepEqual([runs.length, runs[0].state], [1, "ERROR"]);
  assert.deepEqual([runs[0].runCount, runs[0].config], [3, { toolCallBehaviour: "FAKE" }], "what was asked for");
  assert.match(runs[0].errorInfo.errorMessage, /Dataset 'Empty' has no evaluations/);
  assert.deepEqual(
    [schedule.totalExecutions, schedule.lastCompletedRun, schedule.nextScheduledExecutionTime],
    [1, undefined, "2026-03-29T08:00:00Z"],
  );
});

test("a schedule that no run could be made of is refused, also by an update (EVAL-105)", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const request = { app: APP, evaluations: [evaluations[0].name] };
  const personaRunConfigs = [{ persona: "default", taskCount: 2_147_483_647 }];

  await assert.rejects(createSchedule(rest, { request: { ...request, runCount: 0 } }), /request\.run_count: Must be/);
  await createSchedule(rest, { request });
  await assert.rejects(
    rest("PATCH", `${SCHEDULE}?updateMask=request`, { request: { ...request, personaRunConfigs } }),
    /scheduled_evaluation_run\.request\.persona_run_configs\[0\]\.task_count: Must be between 1 and 100/,
  );
  const { request: stored } = await rest("PATCH", `${SCHEDULE}?updateMask=request.runCount`, {
    request: { runCount: 7 },
  });
  assert.equal(stored.runCount, 7);
});
