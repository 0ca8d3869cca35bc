import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { call, say } from "#testing";
import { AssistantModel, addsClerk } from "../assistant/assistant-model.ts";
import { emptyApp } from "../generation/generate.ts";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, openPage, withoutBrowser } from "./open-console.ts";

interface Agents {
  readonly agents?: readonly { readonly displayName: string }[];
}

/** The assistant, opened beside the page. */
async function assistantOf(page: Page) {
  await page.getByRole("button", { name: "Assistant", exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Assistant" });
  const box = panel.getByLabel("Message to the assistant");
  await box.waitFor();
  const tell = async (text: string) => {
    // One turn runs at a time.
    await panel.getByRole("button", { name: "Send to the assistant" }).waitFor();
    await box.fill(text);
    await box.press("Enter");
  };
  return { panel, box, tell };
}

describe("the assistant beside the editor (ASST-3, ASST-4)", { skip: withoutBrowser }, () => {
  const model = new AssistantModel();
  let console: Console;
  let app: string;
  const agentNames = async () =>
    (await api<Agents>(console.server, "GET", `${app}/agents`)).agents?.map(({ displayName }) => displayName) ?? [];
  before(async () => {
    console = await openConsole({ model });
    app = await emptyApp(console.server, "the-desk");
  });
  after(() => console[Symbol.asyncDispose]());

  it("shows a change as a diff, stores it when it is applied, and undoes it", async () => {
    await using opened = await console.open(`/console/${app}/agents`, { anew: true });
    const { page, faults } = opened;
    const { panel, tell } = await assistantOf(page);
    model.answers = addsClerk(app);
    await tell("Add a clerk.");
    const proposal = panel.getByRole("region", { name: "Proposed change" });
    await proposal.getByText("adds the agent 'Clerk'").waitFor();
    await proposal.locator("summary", { hasText: "agents/Clerk/instruction" }).click();
    await proposal.getByText("<role>You are the clerk.</role>").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await agentNames(), []);
    await proposal.getByRole("button", { name: "Apply" }).click();
    await panel.getByText("Applied", { exact: true }).waitFor();
    await page.getByRole("group", { name: "Agent Clerk" }).waitFor();
    assert.deepEqual(await agentNames(), ["Clerk"]);

    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.getByText("Undone").waitFor();
    assert.deepEqual(await agentNames(), []);
    assert.deepEqual(faults, []);
  });

  it("goes on with its conversation after a reload, and begins another when asked to", async () => {
    await using opened = await console.open(`/console/${app}/agents`, { anew: true });
    const { page } = opened;
    const first = await assistantOf(page);
    model.answers = [say("It has **no** agent yet.")];
    await first.tell("What is there?");
    await first.panel.locator("strong", { hasText: "no" }).waitFor();
    await page.reload();
    const { panel } = await assistantOf(page);
    await panel.getByText("What is there?", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "New conversation" }).click();
    await panel.getByText("What is there?", { exact: true }).waitFor({ state: "detached" });
    await panel.getByRole("button", { name: /Go on with What is there\?/ }).click();
    await panel.getByText("What is there?", { exact: true }).waitFor();
  });

  it("leaves the app alone when a change is declined, and takes it back when something else is said", async () => {
    await using opened = await console.open(`/console/${app}/agents`, { anew: true });
    const { panel, tell } = await assistantOf(opened.page);
    model.answers = addsClerk(app);
    await tell("Add a clerk.");
    await panel.getByRole("button", { name: "Not yet" }).click();
    await panel.getByText("Not applied").waitFor();
    model.answers = addsClerk(app);
    await tell("Add a clerk after all.");
    await panel.getByRole("button", { name: "Apply" }).waitFor();
    model.answers = [say("As you like.")];
    await tell("Wait.");
    await panel.getByText("No longer open").waitFor();
    assert.equal(await panel.getByRole("button", { name: "Apply" }).count(), 0);
    assert.deepEqual(await agentNames(), []);
  });

  it("asks with answers to click", async () => {
    await using opened = await console.open(`/console/${app}/agents`, { anew: true });
    const { panel, tell } = await assistantOf(opened.page);
    const options = [{ title: "In the shop", details: "At the counter.", text: "They pay in the shop." }];
    model.answers = [[...say("One question."), ...call("ask_person", { question: "How do people pay?", options })]];
    await tell("Add a till.");
    const answer = panel.getByRole("button", { name: /In the shop/ });
    await answer.waitFor();
    model.answers = [say("At the counter, then.")];
    await answer.click();
    await panel.getByText("They pay in the shop.").waitFor();
    await panel.getByText("At the counter, then.").waitFor();
  });

  it("covers the page at 360 pixels, and gives the focus back when it is closed", async () => {
    await using opened = await console.open(`/console/${app}/agents`, { width: 360, theme: "dark", anew: true });
    const { page } = opened;
    await page.getByRole("button", { name: "Open menu" }).click();
    const { panel } = await assistantOf(page);
    await panel.getByText("Build the app from a description").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
    await panel.getByRole("button", { name: "Close assistant" }).click();
    assert.equal(await panel.count(), 0);
    assert.equal(await page.evaluate("document.activeElement.ariaLabel"), "Open menu");
  });
});

describe("the assistant without a language model", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("says what to set, and keeps what was typed", async () => {
    const app = await emptyApp(console.server, "no-model");
    await using opened = await openPage(console.browser, console.server.address, `/console/${app}/agents`);
    const { panel, tell } = await assistantOf(opened.page);
    await tell("Add a clerk.");
    await panel.getByRole("alert").filter({ hasText: "GEMINI_API_KEY" }).waitFor();
    await panel.getByText("Add a clerk.").waitFor();
    await panel.getByRole("button", { name: "Retry" }).waitFor();
  });
});
