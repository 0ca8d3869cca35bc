import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContext } from "playwright-core";
import { messageBox, sendMessage, startSession } from "./chat.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const ASK = "/console/projects/local/locations/us/dataAgents/shop";

/** A browser that has no room left, or may not store anything. */
const FULL = `Storage.prototype.setItem = () => { throw new DOMException("no room", "QuotaExceededError"); };`;

describe("what a person or a browser does wrong", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("keeps a message of 2 MB, whatever the server answers, and continues", async () => {
    await using opened = await console.open(`/console/${APP}/simulator`);
    const { page } = opened;
    await startSession(page);
    const long = `Where is my order? ${"And why? ".repeat(220_000)}`;
    await messageBox(page).fill(long);
    await messageBox(page).press("Enter");
    const said = page.locator(".turn").nth(1).locator(".bubble.user");
    await page.locator('.turn:not([data-status="running"])').nth(1).waitFor({ timeout: 60_000 });
    assert.equal((await said.innerText()).length, long.trim().length);
    await sendMessage(page, "Where is my order A-1001?", (await page.locator('.turn[data-status="done"]').count()) + 1);
  });

  it("says of an app that is not there what is wrong, and keeps what was said", async () => {
    await using opened = await console.open(
      `/console/${APP.replace("order-desk", "no-such-app")}/simulator?sessions=x~<script>~`,
    );
    const { page } = opened;
    await page
      .getByText(/no-such-app/)
      .first()
      .waitFor();
    await messageBox(page).fill("Is anybody there?");
    await messageBox(page).press("Enter");
    await page.locator('.turn[data-status="failed"] .bubble.user', { hasText: "Is anybody there?" }).waitFor();
    await page.locator('.turn[data-status="failed"] code', { hasText: "NOT_FOUND" }).first().waitFor();
  });

  it("runs sessions as they were set where the browser stores nothing", async () => {
    const before = (context: BrowserContext) => context.addInitScript(FULL);
    await using opened = await console.open(`/console/${APP}/simulator`, { before });
    const { page } = opened;
    await startSession(page);
    await page.getByRole("button", { name: "Session settings" }).click();
    await page.getByLabel("Opening event").fill("");
    await page.getByRole("dialog").getByRole("button", { name: "New session" }).click();
    await page.getByText("Send a message to start").waitFor();
    await sendMessage(page, "Where is my order A-1001?", 1);
    assert.deepEqual(opened.faults, []);
  });

  it("opens four sessions of an address that names more", async () => {
    const ids = Array.from({ length: 9 }, (_, at) => `session-${at}`).join("~");
    await using opened = await console.open(`/console/${APP}/simulator?sessions=${ids}`);
    const { page } = opened;
    await page.locator(".session").nth(3).getByText("Send a message to start").waitFor();
    assert.equal(await page.locator(".session").count(), 4);
  });

  it("keeps a question to data when the server cannot be reached, and asks it again", async () => {
    await using opened = await console.open(ASK);
    const { page } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.route("**/Chat", (route) => route.abort());
    await messageBox(page).fill("units sold by category");
    await messageBox(page).press("Enter");
    await page.getByText("The server is not responding.").waitFor();
    await page.unroute("**/Chat");
    await page.getByRole("button", { name: "Edit question" }).click();
    assert.equal(await messageBox(page).inputValue(), "units sold by category");
    await messageBox(page).press("Enter");
    await page.getByText("What share of the total is each?").waitFor();
    assert.equal(await page.locator(".question").count(), 1);
  });
});
