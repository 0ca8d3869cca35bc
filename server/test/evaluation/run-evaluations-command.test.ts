import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { createPassing } from "../cli/passing-server.ts";
import { type CommandLine, openCommandLine } from "../command-line.ts";
import { createTurnApp } from "../conformance/turn-app.ts";
import { type Rest, restOf } from "../rest.ts";
import { DialogueModel, GENERATED_APP } from "./generated-dialogues.ts";

/** Answers once it may. */
class HeldModel extends DialogueModel {
  held = Promise.resolve();

  override async *stream(request: Parameters<DialogueModel["stream"]>[0]): ReturnType<DialogueModel["stream"]> {
    await this.held;
    yield* super.stream(request);
  }
}

const USER = "Where is it?";
const APP = "command-app";

describe("frontdesk run-evaluations", () => {
  const model = new HeldModel();
  model.steps.set(USER, [{ say: "Here." }]);
  let server: TestServer;
  let rest: Rest;
  let app: string;
  let commands: CommandLine;
  const passing = createPassing(() => server.address);
  before(async () => {
    await passing.listen();
    server = await startTestServer({ model });
    rest = restOf(() => server);
    commands = openCommandLine();
    app = await createTurnApp(server.address, APP, GENERATED_APP);
    for (const [id, expected, tags] of [
      ["right-answer", "Here.", ["smoke"]],
      ["wrong-answer", "Somewhere else.", []],
    ] as const) {
      const expectation = { agentResponse: { role: "agent", chunks: [{ text: expected }] } };
      const golden = { turns: [{ steps: [{ userInput: { text: USER } }, { expectation }] }] };
      const displayName = `The ${id.replace("-", " ")}`;
      await rest("POST", `${app}/evaluations?evaluationId=${id}`, { displayName, golden, tags });
    }
    const evaluations = [`${app}/evaluations/right-answer`];
    await rest("POST", `${app}/evaluationDatasets?evaluationDatasetId=good-ones`, { displayName: "Good", evaluations });
  });
  after(async () => {
    await commands[Symbol.asyncDispose]();
    passing.close();
    await server[Symbol.asyncDispose]();
  });

  const run = (...words: string[]) =>
    commands.run(["run-evaluations", app, ...words], { env: { ...process.env, FRONTDESK_SERVER: server.address } });

  it("runs all on the server, names what did not pass, and tells by its exit code that not all did", async () => {
    const { code, stdout, stderr } = await run();
    assert.equal(code, 1, stderr);
    assert.match(
      stdout,
      /^The wrong answer +0 passed +1 failed +0 not measured\n {4}turn 1: agent response: (failed|not measured)\n {4} {2}expected Somewhere else\.\n {4} {2}observed Here\.\n[\s\S]*\n1 of 2 passed\.\n$/,
    );
    assert.match(
      stderr,
      /evaluationRuns\/\S+ runs; frontdesk operations cancel \S+ ends it\. It is in the console: http:\S+\/console\/projects\/\S+\/evaluationRuns\/\S+\n/,
    );
    const [name] = /projects\/\S+\/evaluationRuns\/\S+/.exec(stderr) ?? [];
    const { progress, latencyReport } = await rest("GET", `${name}`);
    assert.equal(progress.failedCount, 1);
    assert.equal(latencyReport.sessionCount, 2, "times are asked for");
  });

  it("waits for a run while the server that was asked for it is away for a moment", async () => {
    // A client tries a connection that it kept once more by itself.
    model.held = passing.breakNext("WaitOperation", 3);
    const args = ["run-evaluations", app, "right-answer"];
    const { code, stdout, stderr } = await commands.run(args, {
      env: { ...process.env, FRONTDESK_SERVER: passing.address() },
    });
    assert.deepEqual([code, stdout], [0, "1 of 1 passed.\n"], stderr);
    assert.match(stderr, /^warning: the connection to http:\S+ was lost; it is asked again for the operation\.$/m);
    assert.ok(passing.paths(/^WaitOperation$/).length >= 4);
  });

  for (const [what, words] of [
    ["an id", ["right-answer"]],
    ["a display name", ["The right answer"]],
    ["a tag", ["--tags", "smoke,other"]],
    ["a dataset", ["--dataset", "Good"]],
  ] as const)
    it(`runs those of ${what}, as often as is asked, and exits 0 when they pass`, async () => {
      const { code, stdout, stderr } = await run(...words, "--runs", "2", "--name", "Before the release", "--json");
      assert.equal(code, 0, stderr);
      const { displayName, progress, evaluations, evaluationDataset } = JSON.parse(stdout);
      assert.deepEqual([displayName, progress.totalCount, progress.passedCount], ["Before the release", 2, 2]);
      if (what === "a dataset") assert.equal(evaluationDataset, `${app}/evaluationDatasets/good-ones`);
      else assert.deepEqual(evaluations, [`${app}/evaluations/right-answer`]);
    });

  it("prints the name of a run that it does not wait for", async () => {
    const { code, stdout } = await run("right-answer", "--no-wait", "--json");
    assert.equal(code, 0);
    assert.match(JSON.parse(stdout).name, /\/evaluationRuns\//);
  });

  it("says what there is when it is told of something else", async () => {
    const refused = async (words: string[], sentence: RegExp) => {
      const { code, stderr } = await run(...words);
      assert.equal(code, 1);
      assert.match(stderr, sentence);
    };
    await refused(["rigth-answer"], /'rigth-answer' is no evaluation of the app\. Did you mean right-answer\?/);
    await refused(["Opening"], /'Opening' is no evaluation of the app; it has The (right|wrong) answer, The/);
    await refused(["--tags", "slow"], /no evaluation has the tag slow\./);
    await refused(["--dataset", "Bad"], /'Bad' is no dataset of the app; it has Good\./);
    await refused(["--dataset", "Good", "--tags", "smoke"], /--dataset says which evaluations run/);
    await refused(["--app-version", "v9"], /'v9' is not a version of the app/);
    await refused(["--runs", "0"], /--runs is '0'; use a whole number above 0\./);
  });
});
