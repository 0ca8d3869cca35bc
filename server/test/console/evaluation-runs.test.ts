import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createTurnApp } from "../conformance/turn-app.ts";
import { playing } from "../evaluation/playing-model.ts";
import { violations } from "./axe.ts";
import { choose } from "./chat.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const CAUSE = { cause: "unmet scenario expectation", explanation: "The agent never says when the cafe opens." };

/** What the judge says of each metric; 1 of the others. */
const SCORES: Readonly<Record<string, object>> = {
  "user-goal": { score: 0, explanation: "The user still does not know." },
  rubric: { score: 1, explanation: "It greets." },
  expectation: { score: 0, explanation: "No time is named." },
};

const SCENARIO = {
  task: "Find out when the cafe opens.",
  rubrics: ["The agent is polite."],
  maxTurns: 2,
  scenarioExpectations: [{ agentResponse: { role: "agent", chunks: [{ text: "We open at nine." }] } }],
};

describe("runs of evaluations in the console, with a language model", { skip: withoutBrowser }, () => {
  let console: Console;
  let app: string;
  let answers = true;

  before(async () => {
    const model = playing({
      agent: async (_request, signal) => {
        if (answers) return "Good morning.";
        return await new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
      user: (request) => ({ leaves: JSON.stringify(request).includes("Good morning."), text: "When do you open?" }),
      judge: (metric) => SCORES[metric] ?? { score: 1, explanation: "It does." },
      losses: { summary: "Say when the cafe opens.", causes: [CAUSE] },
    });
    console = await openConsole({ example: false, model });
    app = await createTurnApp(console.server.address, "corner-cafe", { agents: { Host: {} } });
    const create = (displayName: string, body: object) =>
      api(console.server, "POST", `${app}/evaluations`, { displayName, ...body });
    await create("Opening hours", { scenario: SCENARIO });
    for (const number of [1, 2, 3])
      await create(`Greeting ${number}`, { golden: { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] } });
  });
  after(() => console[Symbol.asyncDispose]());

  it("cancels a run: what is left ends as cancelled, and the button is gone", async () => {
    answers = false;
    await using opened = await console.open(`/console/${app}/evaluations`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Run all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/^0 of 8 done/).waitFor();
    assert.match(await page.getByRole("status").filter({ hasText: "of the run" }).innerText(), /^0% of the run done$/);
    await page.getByRole("button", { name: "Cancel run" }).click();
    const results = page.getByRole("region", { name: "Results" }).locator("tbody tr");
    await results.first().getByText("Cancelled", { exact: true }).waitFor();
    assert.equal(await results.getByText("Cancelled", { exact: true }).count(), 8);
    await page.getByRole("button", { name: "Cancel run" }).waitFor({ state: "detached" });
    await results.getByRole("link", { name: "Opening hours, attempt 5" }).waitFor();
    const names = await results.getByRole("link").allInnerTexts();
    assert.equal(new Set(names).size, 8, "each has a name of its own");
    assert.ok(names.includes("Greeting 1"), names.join());
    await page.getByText("0 of 0 passed, 8 did not run").waitFor();
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    const runs = page.getByRole("region", { name: "Runs" });
    await runs.locator("tbody tr").first().waitFor();
    const heads = await runs.locator("th").allInnerTexts();
    const cells = await runs.locator("tbody tr").first().locator("td").allInnerTexts();
    assert.equal(cells[heads.indexOf("Did not run")], "8");
    assert.deepEqual(faults, []);
  });

  it("runs again what a cancelled run did not come to, in a run that names it", async () => {
    answers = true;
    await using opened = await console.open(`/console/${app}/evaluationRuns`);
    const { page, faults } = opened;
    const runs = page.getByRole("region", { name: "Runs" });
    await runs
      .getByRole("row", { name: /Cancelled/ })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Run again…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("What was not measured or not run (8 results)").first().waitFor();
    await dialog.getByText(/^The draft as it is now runs with the settings of this run/).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { name: /^All evaluations run - .*, continued$/ }).waitFor();
    await page.getByText(/, continues All evaluations run/).waitFor();
    await page.getByRole("button", { name: "Cancel run" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Run again…" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^What failed/)
      .first()
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: /^All evaluations run/ }).click();
    await page.getByText("0 of 0 passed, 8 did not run").waitFor();
    assert.deepEqual(faults, []);
  });

  it("shows the verdicts of a judge about a scenario, with its reasons, and the failures by cause", async () => {
    answers = true;
    await using opened = await console.open(`/console/${app}/evaluations`);
    const { page, faults } = opened;
    await page.locator("tr", { hasText: "Opening hours" }).locator(".box").click();
    await page.getByRole("button", { name: "Run 1 selected" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Runs per evaluation").fill("1");
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    const losses = page.getByRole("region", { name: "Failures by cause" });
    await losses.getByText("Say when the cafe opens.").waitFor();
    await losses.getByText(CAUSE.explanation).waitFor();
    assert.deepEqual(await violations(page), []);

    const rows = page.getByRole("region", { name: "Results" });
    await rows.getByRole("link", { name: "Opening hours" }).click();
    for (const [title, verdict, reason] of [
      ["User goal: User Task Not Satisfied", "Failed", "The user still does not know."],
      ["The agent is polite.", "Passed", "It greets."],
    ] as const) {
      const check = page.getByRole("article", { name: title });
      await check.getByText(verdict, { exact: true }).waitFor();
      await check.getByText(reason).waitFor();
    }
    const expected = page.getByRole("article", { name: "Agent response" });
    await expected.getByText("We open at nine.").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("refuses a run by voice without providers, with the setting", async () => {
    await using opened = await console.open(`/console/${app}/evaluations`);
    const { page } = opened;
    await page.getByRole("button", { name: "Run all" }).click();
    const dialog = page.getByRole("dialog");
    await choose(page, dialog.getByRole("button", { name: /Channel/ }), /^Voice/);
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByText(/Set speech\.speak in the configuration file/).waitFor();
  });
});
