import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { api } from "./edit-api.ts";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

const LOOK = "/changelogs?pageSize=1&fields=changelogs(name)";
const STEP_MS = 5_000;

describe("what is live in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  /** Opens a page whose time can be made to pass, and counts its calls by method. */
  async function openTimed(path: string) {
    const calls: string[] = [];
    const before = async (context: BrowserContext) => {
      await context.clock.install();
      context.on("request", (request) => calls.push(request.url()));
    };
    const opened = await console.open(path, { before });
    const count = (part: string) => calls.filter((url) => url.includes(part)).length;
    return { ...opened, count };
  }

  it("asks of an app only which change was the last one, until there is another", async () => {
    await using opened = await openTimed(`/console/${APP}/agents`);
    const { page, count } = opened;
    await page.getByRole("table").waitFor();
    for (let look = 0; look < 4; look++) await looked(page, LOOK);
    assert.equal(count("/ListAgents"), 1);
    await api(console.server, "PATCH", `${APP}/agents/returns-desk?updateMask=description`, {
      description: "New words",
    });
    await looked(page, LOOK);
    await page.getByText("New words").waitFor();
    assert.equal(count("/ListAgents"), 2);
    assert.equal(count("/ListAppVersions"), 0, "versions are whole apps: they are read where they are named");
  });

  it("requests nothing in a hidden tab, and what was missed when the tab is visible again", async () => {
    await using opened = await openTimed(`/console/${APP}/tools`);
    const { page, count } = opened;
    await page.getByRole("link", { name: "get_shop_hours" }).waitFor();
    await see(page, "hidden");
    const before = count(LOOK);
    await page.clock.runFor(20 * STEP_MS);
    await api(console.server, "POST", `${APP}/tools?toolId=made-meanwhile`, {
      displayName: "made_meanwhile",
      pythonFunction: { name: "made_meanwhile", pythonCode: "def made_meanwhile():\n    return {}\n" },
    });
    assert.equal(count(LOOK), before);
    await see(page, "visible");
    await page.getByRole("link", { name: "made_meanwhile" }).waitFor();
  });

  it("reads the turns of a conversation once, however often the list is read", async () => {
    await converse(console.server, "first-caller", "Where is my order A-1001?");
    await using opened = await openTimed(`/console/${APP}/conversations`);
    const { page, count } = opened;
    await page.getByText("No issues").waitFor();
    for (let look = 0; look < 3; look++) await looked(page, "/ListConversations");
    await converse(console.server, "second-caller", "Where is my order A-1002?");
    await looked(page, "/ListConversations");
    await page.getByRole("link", { name: "Where is my order A-1002?" }).waitFor();
    assert.equal(count("/GetConversation"), 2);
  });
});

/** Lets one step of time go by, and waits for the answer that it asks for. */
async function looked(page: Page, part: string): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().includes(part));
  await page.clock.runFor(STEP_MS);
  await (await answer).finished();
}

/** Puts the tab into the background or the foreground, as browsers tell pages. */
async function see(page: Page, state: "visible" | "hidden"): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" });
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("visibilitychange"));
  `);
}
