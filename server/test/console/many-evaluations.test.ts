import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
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
});

/** Starts the run of the open dialog, and waits for the page of the run. */
async function startRun(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/evaluationRuns\/[^/]+$/);
}
