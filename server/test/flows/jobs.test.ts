import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openCommandLine } from "../command-line.ts";
import { finished, restOf } from "../rest.ts";
import { DEAD_LETTER, LOCATION, startWithJobs } from "./stored-jobs.ts";

const commandLine = openCommandLine();
let server: Awaited<ReturnType<typeof startWithJobs>>;
const rest = restOf(() => server);
before(async () => {
  server = await startWithJobs();
});
after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const frontdesk = (...args: readonly string[]) =>
  commandLine.run(["operations", ...args, "--server", server.address, "--project", "p", "--location", "us"]);

describe("operations of a server (DB-15)", () => {
  it("are listed with their state, attempts and last error, page by page", async () => {
    const first = await rest("GET", `${LOCATION}/jobs?pageSize=2`);
    const second = await rest("GET", `${LOCATION}/jobs?pageSize=2&pageToken=${first.nextPageToken}`);
    const jobs = [...first.jobs, ...second.jobs];
    assert.deepEqual(
      jobs.map(({ kind, state, failedAttempts, maxAttempts }) => [kind, state, failedAttempts, maxAttempts]),
      [
        ["RunEvaluationResultMetrics", "WAITING", 2, 5],
        ["RunEvaluationResultMetrics", "DEAD", 5, 5],
        ["ImportApp", "FAILED", undefined, 1],
      ],
    );
    assert.equal(jobs[1].error.message, "The model is away.");
    assert.ok(jobs[0].nextAttemptTime);
    const dead = await rest("GET", `${LOCATION}/jobs?state=DEAD`);
    assert.deepEqual(
      dead.jobs.map(({ name }: { name: string }) => name),
      [DEAD_LETTER],
    );
  });

  it("count their dead letters in the metrics", async () => {
    const text = await (await fetch(`${server.address}/metrics`)).text();
    assert.match(text, /^frontdesk_operations_dead_letters 1$/m);
  });

  it("are listed, begun again and cancelled by commands", async () => {
    const listed = await frontdesk("list", "--state", "dead");
    assert.equal(listed.code, 0, listed.stderr);
    assert.match(
      listed.stdout,
      /dead +RunEvaluationResultMetrics +letter .*5 of 5 attempts failed: The model is away\./,
    );
    const retried = await frontdesk("retry", "letter");
    assert.equal(retried.code, 0, retried.stderr);
    assert.match(retried.stdout, /running +RunEvaluationResultMetrics/);
    // What it is about was deleted, which no further attempt would change.
    const { error } = await finished(rest, { name: DEAD_LETTER });
    assert.equal(error.code, 5);
    const withDetails = JSON.parse((await frontdesk("list", "--state", "dead", "--json")).stdout);
    assert.match(withDetails[0].error.details[0]["@type"], /google\.rpc\.ResourceInfo$/);
    const [again] = (await rest("GET", `${LOCATION}/jobs?state=DEAD`)).jobs;
    assert.equal(again.failedAttempts, 1);
    const cancelled = await frontdesk("cancel", `${LOCATION}/operations/patient`);
    assert.equal(cancelled.code, 0, cancelled.stderr);
    assert.equal((await finished(rest, { name: `${LOCATION}/operations/patient` })).error.code, 1);
  });

  it("are refused what they cannot do, and nothing is changed", async () => {
    const retry = (id: string) =>
      fetch(`${server.address}/v1beta/${LOCATION}/operations/${id}:retry`, { method: "POST", body: "{}" });
    const [failed, missing] = [await retry("failed"), await retry("none")];
    assert.deepEqual([failed.status, missing.status], [400, 404]);
    assert.match(await failed.text(), /is no dead letter/);
    const unknown = await frontdesk("list", "--state", "lost");
    assert.deepEqual([unknown.code, /use running, waiting/.test(unknown.stderr)], [1, true], unknown.stderr);
    assert.match((await frontdesk("retry")).stderr, /say which/);
    assert.match((await frontdesk("stop", "x")).stderr, /use list, retry, cancel\./);
  });
});
