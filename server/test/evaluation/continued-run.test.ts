import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { type CommandLine, openCommandLine } from "../command-line.ts";
import { createTurnApp } from "../conformance/turn-app.ts";
import { finished, type Rest, restOf } from "../rest.ts";
import { playing } from "./playing-model.ts";

const NAMES = ["passes", "fails", "is-away"] as const;

const golden = (input: string, answer: string) => ({
  turns: [
    {
      steps: [
        { userInput: { text: input } },
        { expectation: { agentResponse: { role: "agent", chunks: [{ text: answer }] } } },
      ],
    },
  ],
});

describe("a run that continues another one (EVAL-107)", () => {
  let server: TestServer;
  let rest: Rest;
  let app: string;
  let commands: CommandLine;
  /** Whether the model cannot be reached for one of the evaluations. */
  let isAway = true;
  /** Whether calls wait until they are aborted. */
  let isHanging = false;
  const model = playing({
    agent: async ({ messages }, signal) => {
      if (isHanging) await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      if (isAway && JSON.stringify(messages).includes("is-away")) throw new Error("The model is away.");
      return "We open at nine.";
    },
    judge: () => ({ score: 0, explanation: "It says something else." }),
  });

  before(async () => {
    server = await startTestServer({ model });
    rest = restOf(() => server);
    commands = openCommandLine();
    app = await createTurnApp(server.address, "continued-app", { agents: { Host: {} } });
    for (const id of NAMES) {
      const answer = id === "fails" ? "Never." : "We open at nine.";
      const body = { displayName: `It ${id}`, golden: golden(id, answer) };
      await rest("POST", `${app}/evaluations?evaluationId=${id}`, body);
    }
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const all = () => NAMES.map((id) => `${app}/evaluations/${id}`);

  async function run(body: object) {
    const operation = await finished(rest, await rest("POST", `${app}:runEvaluation`, body));
    assert.equal(operation.error, undefined);
    return rest("GET", operation.response.evaluationRun);
  }

  /** A run in which one passed, one failed and one was not measured, each twice. */
  async function begun(body: object = {}) {
    isAway = true;
    const ran = await run({ evaluations: all(), runCount: 2, displayName: "Nightly", ...body });
    assert.deepEqual(
      NAMES.map((id) => Object.entries(ran.evaluationRunSummaries[`${app}/evaluations/${id}`])),
      [[["passedCount", 2]], [["failedCount", 2]], [["errorCount", 2]]],
    );
    isAway = false;
    return ran;
  }

  /** A run that is cancelled before one of its cases has answered. */
  async function cancelled(body: object = {}) {
    isHanging = true;
    const operation = await rest("POST", `${app}:runEvaluation`, { evaluations: all(), ...body });
    await rest("POST", `${operation.name}:cancel`, {});
    await finished(rest, operation);
    isHanging = false;
    return operation.metadata.evaluationRun as string;
  }

  it("runs what was not measured there, as it ran there, and says so", async () => {
    const { name: version } = await rest("POST", `${app}/versions`, { displayName: "First" });
    const config = { toolCallBehaviour: "FAKE" };
    const asked = { appVersion: version, goldenRunMethod: "NAIVE", generateLatencyReport: true, config };
    const first = await begun(asked);

    const second = await run({ continuedRun: first.name });

    assert.equal(second.continuedRun, first.name);
    assert.equal(second.displayName, "Nightly, continued");
    assert.deepEqual(second.evaluations, [`${app}/evaluations/is-away`]);
    assert.deepEqual(second.progress, { totalCount: 2, completedCount: 2, passedCount: 2 });
    assert.deepEqual(
      [second.appVersion, second.runCount, second.goldenRunMethod, second.config],
      [version, 2, "NAIVE", first.config],
    );
    assert.equal(second.latencyReport.sessionCount, 2);
    await assert.rejects(
      rest("POST", `${app}:runEvaluation`, { continuedRun: second.name }),
      /FAILED_PRECONDITION[\s\S]*Nothing is left of run|Nothing is left of run[\s\S]*FAILED_PRECONDITION/,
    );
  });

  it("says in its name that the draft has changed since, and of no other change (EVAL-115)", async () => {
    const first = await begun();
    await rest("POST", `${app}/versions`, { displayName: "Between" });
    const { name: added } = await rest("POST", `${app}/evaluations`, { displayName: "New", golden: golden("a", "b") });
    const same = await run({ continuedRun: first.name });
    assert.equal(same.displayName, "Nightly, continued");
    const { agents } = await rest("GET", `${app}/agents`);
    await rest("PATCH", `${agents[0].name}?updateMask=description`, { description: "Changed." });
    const changed = await run({ continuedRun: first.name });
    assert.equal(changed.displayName, "Nightly, continued on a changed draft");
    const again = await run({ continuedRun: changed.name, evaluations: [all()[0]] });
    assert.equal(again.displayName, "Nightly, continued");
    await rest("DELETE", added);
  });

  it("runs what failed too when that is wanted, or those that are named", async () => {
    const first = await begun();
    const both = await run({ continuedRun: first.name, includeFailedEvaluations: true });
    assert.deepEqual([both.evaluations, both.progress.totalCount], [all().slice(1), 4]);
    const evaluations = all().slice(1);
    const second = await run({ continuedRun: first.name, evaluations, displayName: "Once more", runCount: 1 });
    assert.deepEqual([second.evaluations, second.progress.totalCount], [evaluations, 2]);
    assert.deepEqual([second.displayName, second.continuedRun], ["Once more", first.name]);
  });

  it("runs what a cancelled run did not come to, and keeps its name over several continuations", async () => {
    isAway = false;
    const first = await cancelled({ displayName: "Big" });
    const again = await cancelled({ continuedRun: first, evaluations: [] });
    const last = await run({ continuedRun: again });
    assert.deepEqual([last.evaluations, last.displayName, last.continuedRun], [all(), "Big, continued", again]);
  });

  it("leaves out what was deleted since", async () => {
    isAway = false;
    const { name } = await rest("POST", `${app}/evaluations`, { displayName: "Gone", golden: golden("x", "y") });
    const first = await cancelled({ evaluations: [...all(), name] });
    const only = await cancelled({ evaluations: [name] });
    await rest("DELETE", name);
    assert.deepEqual((await run({ continuedRun: first })).evaluations, all());
    await assert.rejects(rest("POST", `${app}:runEvaluation`, { continuedRun: only }), /Nothing is left of run/);
  });

  it("is refused for a run that is on, unknown, or of another app or version", async () => {
    isHanging = true;
    const operation = await rest("POST", `${app}:runEvaluation`, { evaluations: all() });
    const refused = (body: object, sentence: RegExp) =>
      assert.rejects(rest("POST", `${app}:runEvaluation`, body), sentence);
    const { evaluationRun } = operation.metadata;
    await refused({ continuedRun: evaluationRun }, /still runs\. Wait for its end, or cancel it/);
    await rest("POST", `${operation.name}:cancel`, {});
    await finished(rest, operation);
    isHanging = false;
    await refused({ continuedRun: `${app}/evaluationRuns/unknown` }, /evaluationRuns\/unknown/);
    await refused({ continuedRun: `${app}-2/evaluationRuns/one` }, /continued_run: Must be a run of .*continued-app/);
    const { name: appVersion } = await rest("POST", `${app}/versions`, { displayName: "Second" });
    await refused({ evaluations: all(), includeFailedEvaluations: true }, /include_failed_evaluations: Says what runs/);
    await refused({ continuedRun: evaluationRun, appVersion }, /app_version: A run goes on with what it began with/);
  });

  it("is one flag of frontdesk run-evaluations, by id, by name, or for the last run", async () => {
    const command = (...words: string[]) =>
      commands.run(["run-evaluations", app, ...words], { env: { ...process.env, FRONTDESK_SERVER: server.address } });
    await begun({ displayName: "For the command" });
    const named = await command("--continue", "For the command", "--json");
    assert.equal(named.code, 0, named.stderr);
    assert.deepEqual(JSON.parse(named.stdout).evaluations, [`${app}/evaluations/is-away`]);

    const { name } = await begun();
    const failed = await command("--continue", "last", "--failed");
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /^It fails +0 passed +2 failed[\s\S]*\n2 of 4 passed\.\n/);
    assert.match(failed.stderr, /^Nightly, continued[^:]*: projects\/\S+ runs; /);
    assert.match(failed.stderr, /frontdesk run-evaluations \S+ --continue \S+ --failed runs what failed again\./);
    assert.equal((await command("--continue", name.split("/").at(-1), "--no-wait")).code, 0);

    const none = await command("--continue", "No such run");
    assert.match(none.stderr, /'No such run' is no run of the app; frontdesk evaluation-runs list --app \S+ has them/);
    const both = await command("It passes", "--continue", "last");
    assert.match(both.stderr, /--continue says which evaluations run/);
    assert.match((await command("--failed")).stderr, /--failed belongs to --continue/);
  });
});
