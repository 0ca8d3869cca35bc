import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

describe("several evaluations at once in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await converse(console.server, "a-question", "Where is my order A-1001?");
  });
  after(() => console[Symbol.asyncDispose]());

  it("saves several conversations as evaluations at once, and says which could not be", async () => {
    await converse(console.server, "second-question", "What are your opening hours?");
    await converse(console.server, "gone-question", "Do you wrap gifts?");
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page } = opened;
    for (const id of ["a-question", "second-question", "gone-question"])
      await page.getByRole("checkbox", { name: `Select ${id}`, exact: true }).press("Space");
    await api(console.server, "DELETE", `${APP}/conversations/gone-question`);
    await page.getByRole("button", { name: "Save 3 as evaluations" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Made 2 evaluations. 1 could not be made.").waitFor();
    assert.match(await dialog.getByRole("listitem").filter({ hasText: "gone-question" }).innerText(), /not found/i);
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("link", { name: "second-question" }).click();
    await page.waitForURL(/\/evaluations\/[^/]+\?conversation=second-question/);
    await page.getByRole("tab", { name: "Golden" }).waitFor();
  });

  it("deletes all conversations that are shown at once, and says which could not be", async () => {
    for (const id of ["first-of-many", "second-of-many", "third-of-many"]) await converse(console.server, id, "Hello");
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page, faults } = opened;
    await page.getByRole("checkbox", { name: "Select first-of-many", exact: true }).press("Space");
    await page.getByRole("button", { name: /^Select all \d+$/ }).click();
    await page.getByRole("checkbox", { name: "Select first-of-many", exact: true }).press("Space");
    await page.getByText(/^\d+ selected$/).waitFor();
    await api(console.server, "DELETE", `${APP}/conversations/third-of-many`);
    await page.getByRole("button", { name: /^Delete \d+…$/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Delete \d+ conversations$/ }).click();
    await dialog.getByText(/^Deleted \d+ conversations\. 1 could not be deleted\.$/).waitFor();
    assert.match(await dialog.getByRole("listitem").innerText(), /third-of-many .*not found/);
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("checkbox", { name: "Select second-of-many", exact: true }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("checkbox", { name: "Select first-of-many", exact: true }).count(), 1);
    const left = await api<{ conversations: object[] }>(console.server, "GET", `${APP}/conversations`);
    assert.equal(left.conversations.length, 1);
    assert.deepEqual(faults, []);
  });

  it("names a run of several evaluations as it is told, else after how many they are", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page } = opened;
    await page.getByRole("button", { name: "Run all" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Shorter answers");
    await startRun(page);
    await page.getByRole("heading", { level: 1, name: "Shorter answers" }).waitFor();
    await page.getByRole("link", { name: "Evaluations" }).click();
    await page.getByRole("button", { name: "Run all" }).click();
    await startRun(page);
    await page.getByRole("heading", { level: 1, name: /^All evaluations run - 20/ }).waitFor();
  });

  it("shows of a long run its rate, and those that failed first, before it reads what passed", async () => {
    const run = await longRun(console.server);
    await using opened = await console.open(`/console/${run}`);
    const { page, faults } = opened;
    const read: string[] = [];
    page.on("request", (request) => void (request.url().includes("/results?") && read.push(request.url())));
    await page.getByText("240 of 250 passed, 95% interval 93%–98%").waitFor();
    const rows = page.getByRole("region", { name: "Results" }).locator("tbody tr");
    await page.getByText("50 more rows.").waitFor();
    assert.equal(await rows.count(), 200);
    assert.equal(await rows.nth(9).getByText("Failed", { exact: true }).count(), 1);
    assert.equal(await rows.getByText("Failed", { exact: true }).count(), 10);
    const before = read.length;
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("50 more rows.").waitFor({ state: "detached" });
    assert.equal(await rows.count(), 250);
    assert.equal(read.length, before + 1);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("deletes the evaluations that a search shows, one that somebody else deleted meanwhile included", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations?words=Hours`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Select all 25" }).click();
    await page.getByText("25 of 29 evaluations, 25 selected").waitFor();
    await page.getByRole("button", { name: "Delete 25…" }).click();
    await api(console.server, "DELETE", `${APP}/evaluations/hours-10`);
    const dialog = page.getByRole("dialog");
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Delete 25 evaluations" }).click();
    await dialog.getByText("Deleted 25 evaluations.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("No evaluation fits.").waitFor();
    const left = await api<{ evaluations: object[] }>(console.server, "GET", `${APP}/evaluations`);
    assert.equal(left.evaluations.length, 4);
    // The browser tells of the one that was gone.
    assert.deepEqual(
      faults.filter((fault) => !fault.includes("404 (Not Found)")),
      [],
    );
  });
});

/** Starts the run of the open dialog, and waits for the page of the run. */
async function startRun(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/evaluationRuns\/[^/]+$/);
}

/** Runs 25 evaluations ten times each, of which one fails, and returns the name of the run when it has ended. */
async function longRun(server: Console["server"]): Promise<string> {
  const { golden } = await api(server, "GET", `${APP}/evaluations/where-is-my-order`);
  const evaluations: string[] = [];
  for (let at = 0; at < 25; at++) {
    // Sorted by their names, the one that fails is the last: it calls a tool that it does not expect.
    const steps = [{ userInput: { text: "Where is my order A-1001?" } }];
    const { name } = await api<{ name: string }>(server, "POST", `${APP}/evaluations?evaluationId=hours-${at + 10}`, {
      displayName: `Hours ${at}`,
      golden: at === 24 ? { turns: [{ steps }] } : golden,
    });
    evaluations.push(name);
  }
  let run = await api<RunOperation>(server, "POST", `${APP}:runEvaluation`, { evaluations, runCount: 10 });
  for (; !run.done; run = await api<RunOperation>(server, "GET", run.name)) await delay(100);
  return run.metadata.evaluationRun;
}

interface RunOperation {
  readonly name: string;
  readonly done?: boolean;
  readonly metadata: { readonly evaluationRun: string };
}
