import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { choose } from "./chat.ts";
import { api } from "./edit-api.ts";
import { save, saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const EVALUATION = `${APP}/evaluations/where-is-my-order`;

interface EvaluationAnswer {
  readonly golden: { readonly turns: readonly { readonly steps: readonly unknown[] }[] };
}

interface ScheduleAnswer {
  readonly scheduledEvaluationRuns: readonly {
    readonly name: string;
    readonly request: { readonly evaluations: readonly string[] };
    readonly schedulingConfig: { readonly frequency: string };
  }[];
}

describe("editing what an app is evaluated by", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("adds a turn with a step of each kind, keeps the other turns as they are, and saves", async () => {
    const before = await api<EvaluationAnswer>(console.server, "GET", EVALUATION);
    await using opened = await console.open(`/console/${EVALUATION}`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Add turn" }).click();
    const turn = page.getByRole("region", { name: `Turn ${before.golden.turns.length + 1}`, exact: true });
    await turn.getByLabel("User input", { exact: true }).fill("Thank you");
    await turn.getByLabel("Agent response", { exact: true }).fill("You are welcome.");
    await turn.getByRole("button", { name: /^Add step/ }).click();
    await page.getByRole("menuitem", { name: "No tool calls" }).click();
    assert.deepEqual(await violations(page), []);
    await save(page);
    await saved(page);
    const { golden } = await api<EvaluationAnswer>(console.server, "GET", EVALUATION);
    assert.deepEqual(golden.turns.slice(0, -1), before.golden.turns);
    assert.deepEqual(golden.turns.at(-1), {
      steps: [
        { userInput: { text: "Thank you" } },
        { expectation: { agentResponse: { chunks: [{ text: "You are welcome." }] } } },
        { expectation: { noToolCalls: true } },
      ],
    });
    assert.deepEqual(faults, []);
  });

  it("opens the form of all fields for a step that is more than a text", async () => {
    await using opened = await console.open(`/console/${EVALUATION}`);
    const { page, faults } = opened;
    const turn = page.getByRole("region", { name: "Turn 1", exact: true });
    await turn.getByRole("button", { name: "All fields of Tool call" }).click();
    await choose(page, turn.getByRole("button", { name: /Condition/ }).first(), "No tool calls");
    await turn.getByRole("button", { name: "Fewer fields of No tool calls" }).click();
    await turn.getByText("No tool call", { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("schedules the evaluations of the app, and lists the schedule", async () => {
    await using opened = await console.open(`/console/${APP}/scheduledEvaluationRuns`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Create schedule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Every week");
    await choose(page, dialog.getByRole("button", { name: /Frequency/ }), /^Weekly/);
    await dialog.getByRole("button", { name: "Create schedule" }).click();
    await page.getByRole("heading", { level: 1, name: "Every week" }).waitFor();
    await page.getByRole("tab", { name: "Run" }).click();
    const boxes = page.getByRole("group", { name: "Evaluations" });
    await boxes.getByText("A broken mug goes back").click();
    assert.deepEqual(await violations(page), []);
    await save(page);
    await saved(page);
    const { scheduledEvaluationRuns } = await api<ScheduleAnswer>(
      console.server,
      "GET",
      `${APP}/scheduledEvaluationRuns`,
    );
    const [schedule] = scheduledEvaluationRuns;
    assert.deepEqual(schedule?.request.evaluations, [EVALUATION]);
    assert.equal(schedule.schedulingConfig.frequency, "WEEKLY");
    assert.deepEqual(faults, []);
  });

  it("offers the personas of the app to a run", async () => {
    const evaluationPersonas = [{ name: "hurry", displayName: "In a hurry", personality: "Writes short sentences." }];
    await api(console.server, "PATCH", `${APP}?updateMask=evaluationPersonas`, { evaluationPersonas });
    await using opened = await console.open(`/console/${EVALUATION}`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("dialog").getByText("In a hurry").click();
    assert.deepEqual(await violations(page), []);
    const sent = page.waitForRequest(/\/RunEvaluation$/);
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    assert.match((await sent).postDataBuffer()?.toString("latin1") ?? "", /hurry/);
    await page.getByText("Completed", { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("creates a scenario, and says of its results that and why nothing was measured without a model", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Create evaluation" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Asks for an order");
    await choose(page, dialog.getByRole("button", { name: /Type/ }), /^Scenario/);
    await dialog.getByRole("button", { name: "Create evaluation" }).click();
    await page.getByRole("heading", { level: 1, name: "Asks for an order" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByLabel("Runs per evaluation").fill("2");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("0 of 0 passed, 2 not measured").waitFor();
    await page.getByRole("columnheader", { name: "Reason" }).waitFor();
    await page.getByRole("link", { name: "Asks for an order, attempt 1" }).click();
    await page.getByRole("status").filter({ hasText: /model/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });
});
