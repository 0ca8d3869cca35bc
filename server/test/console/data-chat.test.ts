import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AGENT = "projects/local/locations/us/dataAgents";

describe("the console's page for questions to data", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("opens the only agent, and answers with rows, a chart, text and follow-up questions", async () => {
    await using opened = await console.open("/console/dataAgents");
    const { page } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.getByRole("textbox").fill("units sold by category");
    await page.keyboard.press("Enter");
    await page.getByText("What share of the total is each?").waitFor();
    assert.equal(new URL(page.url()).pathname, `/console/${AGENT}/shop`);
    await page.getByText("Download SVG").waitFor();
    await page.getByRole("tab", { name: "Table" }).click();
    assert.equal(await page.locator("table tbody tr").count(), 6);
    assert.match(await page.locator("body").innerText(), /Teapots/);
    await page.waitForURL(/\?conversation=/);
    await page.getByRole("button", { name: /20\d\d.* Conversation|Conversation.*20\d\d/ }).waitFor();
    await page.reload();
    await page.getByText("What share of the total is each?").waitFor();
    await page.getByRole("tab", { name: "Table" }).click();
    assert.equal(await page.locator("table tbody tr").count(), 6);
    await page.getByRole("button", { name: "New conversation", exact: true }).click();
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.waitForURL((url) => url.search === "");
    assert.deepEqual(opened.faults, []);
  });

  it("keeps a question that is sent while its agent still loads, says so, and asks it", async () => {
    await using opened = await console.open(`/console/${AGENT}/shop`, { anew: true, before: async () => undefined });
    const { page } = opened;
    const arrives = Promise.withResolvers<void>();
    await page.route(/DataAgentService\/GetDataAgent/, async (route) => {
      await arrives.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole("textbox").fill("units sold by category");
    await page.keyboard.press("Enter");
    await page.getByText("Your question is asked as soon as the data agent is loaded.").waitFor();
    assert.equal(await page.getByRole("textbox").inputValue(), "units sold by category");
    arrives.resolve();
    await page.getByText("What share of the total is each?").waitFor();
    assert.equal(await page.getByRole("textbox").inputValue(), "");
    assert.equal(await page.getByText("Your question is asked as soon as the data agent is loaded.").count(), 0);
    assert.deepEqual(opened.faults, []);
  });

  it("keeps what is below a chart in its place when the chart arrives", async () => {
    await using opened = await console.open(`/console/${AGENT}/shop`, { anew: true, before: async () => undefined });
    const { page } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    const arrives = Promise.withResolvers<void>();
    await page.route(/\/embed-/, async (route) => {
      await arrives.promise;
      await route.continue();
    });
    await page.getByRole("textbox").fill("units sold by category");
    await page.keyboard.press("Enter");
    await page.getByText("What share of the total is each?").waitFor();
    await page.getByText("Loading chart…").waitFor();
    const share = page.getByRole("button", { name: "Share", exact: true });
    const topOf = async () => (await share.boundingBox())?.y ?? Number.NaN;
    const before = await topOf();
    arrives.resolve();
    await page.getByRole("button", { name: "Download SVG", disabled: false }).waitFor();
    assert.ok(Math.abs((await topOf()) - before) < 12, `it was at ${before}, and is at ${await topOf()}`);
    assert.deepEqual(opened.faults, []);
  });

  it("makes an answer the verified one for its question with one click", async () => {
    await using opened = await console.open(`/console/${AGENT}/shop`);
    const { page } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    const ask = async (question: string) => {
      await page.getByRole("textbox").fill(question);
      await page.keyboard.press("Enter");
    };
    await ask("top 3 products by units sold");
    await page.getByRole("button", { name: "Verify this answer" }).click();
    await page.getByText("This query answers “top @top products by units sold” from now on.").waitFor();
    await ask("the best 2 products by units sold");
    await page.getByText("Answered by the verified query for “top @top products by units sold”.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Verify this answer" }).count(), 0);
    assert.deepEqual(opened.faults, []);
  });

  it("lets its SQL be edited and run again, and saves rows as a workbook", async () => {
    await using opened = await console.open(`/console/${AGENT}/shop`);
    const { page } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.getByRole("textbox").fill("number of orders by channel");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "SQL" }).click();
    await page.getByRole("button", { name: "Edit and run" }).click();
    await page.getByRole("textbox", { name: "SQL" }).fill("SELECT count(*) AS shops FROM local.shop.stores");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("cell", { name: "10", exact: true }).waitFor();
    await page.getByText("Query plan").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download Excel" }).first().click();
    assert.match((await saved).suggestedFilename(), /\.xlsx$/);
    assert.deepEqual(opened.faults, []);
    // A refusal is shown; the browser notes its status.
    await page.getByRole("textbox", { name: "SQL" }).fill("SELECT nothing FROM local.shop.stores");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText('Referenced column "nothing" not found').waitFor();
    while (opened.faults.length === 0) await setTimeout(20);
    assert.match(opened.faults.join(), /status of 400/);
  });

  it("keeps a question on the board, refreshes it, also on a schedule, and removes it", async () => {
    await using opened = await console.open(`/console/${AGENT}/shop`);
    const { page } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.getByRole("textbox").fill("how many stores are there?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Pin to the board" }).click();
    await page.getByRole("button", { name: "On the board" }).waitFor();
    await page.getByRole("button", { name: "New conversation", exact: true }).click();
    const pinned = page.getByRole("article", { name: "how many stores are there?" });
    await pinned.getByRole("cell", { name: "10", exact: true }).waitFor();
    await pinned.getByRole("button", { name: "Refresh" }).click();

    await pinned.getByRole("button", { name: "Schedule" }).click();
    const dialog = page.getByRole("dialog", { name: "Refresh on a schedule" });
    await dialog.getByRole("textbox", { name: "At" }).fill("25:00");
    assert.equal(await dialog.getByRole("button", { name: "Save schedule" }).isDisabled(), true);
    await dialog.getByRole("textbox", { name: "At" }).fill("09:30");
    await dialog.getByText("Tell me when a value crosses a threshold").click();
    await dialog.getByRole("spinbutton", { name: "Threshold" }).fill("5");
    await dialog.getByRole("button", { name: "Save schedule" }).click();
    await pinned.getByText(/Every day, next .*9:30/).waitFor();
    await pinned.getByText("No alert").waitFor();
    await pinned.getByRole("button", { name: "Change schedule" }).click();
    await dialog.getByRole("button", { name: "Delete schedule" }).click();
    await pinned.getByText(/Every day/).waitFor({ state: "detached" });

    await pinned.getByRole("button", { name: "Unpin" }).click();
    await pinned.waitFor({ state: "detached" });
    assert.deepEqual(opened.faults, []);
  });

  it("says that an agent is awaited, keeps what is typed, and continues when the agent exists", async () => {
    const name = `${AGENT}/later`;
    await using opened = await console.open(`/console/${name}`);
    const { page } = opened;
    await page.getByText("Data agent not found").waitFor();
    await page.getByRole("textbox").fill("how many orders are there");
    assert.equal(await page.getByRole("button", { name: "Send" }).isDisabled(), true);
    const { address } = console.server;
    const shop = (await (await fetch(`${address}/v1beta/${AGENT}/shop`)).json()) as { dataAnalyticsAgent: object };
    const made = await fetch(`${address}/v1beta/${AGENT}:createSync?dataAgentId=later`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ displayName: "Later", dataAnalyticsAgent: shop.dataAnalyticsAgent }),
    });
    assert.equal(made.status, 200, await made.text());
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.getByRole("textbox").press("Enter");
    await page.locator('.answer[data-status="done"] .answer-text').first().waitFor();
  });
});
