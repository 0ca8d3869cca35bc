import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { BrowserContext } from "playwright-core";
import { startTestServer } from "#testing";
import { storeLongConversation, TURNS } from "./long-conversation.ts";
import { APP, type Console, converse, openConsole, openPage, withoutBrowser } from "./open-console.ts";

describe("the console in hard times", { skip: withoutBrowser }, () => {
  let folder: string;
  let console: Console;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-hard-"));
    console = await openConsole();
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("opens a conversation of 5,000 turns, drawing those in sight", async () => {
    await storeLongConversation(console.server, "very-long");
    await using opened = await console.open(`/console/${APP}/conversations/very-long`);
    const { page, faults } = opened;
    await page.getByText("Question 1.", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Turns" }).focus();
    await page.keyboard.press("End");
    await page.getByText(`Question ${TURNS}.`, { exact: true }).waitFor();
    assert.ok((await page.locator("article").count()) < 60, "what is out of sight is not drawn");
    assert.deepEqual(faults, []);
  });

  it("reads a session of 5,000 turns back into the simulator, at its end", async () => {
    await storeLongConversation(console.server, "very-long-session");
    await using opened = await console.open(`/console/${APP}/simulator?sessions=very-long-session`);
    const { page, faults } = opened;
    await page.getByText(`Question ${TURNS}.`, { exact: true }).waitFor();
    assert.ok((await page.locator("article").count()) < 60, "what is out of sight is not drawn");
    await page.getByRole("log", { name: "Turns" }).evaluate((list) => list.scrollTo({ top: 0 }));
    await page.getByText("Question 1.", { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("opens a page although the code of a part that it can do without does not arrive", async () => {
    const before = async (context: BrowserContext) => context.route(/\/access-places-/, (route) => route.abort());
    await using opened = await console.open(`/console/${APP}/tools`, { before });
    const { page } = opened;
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/access-places-"));
    await page.reload();
    await failed;
    await page.getByRole("link", { name: "look_up_order" }).waitFor();
    await page.getByRole("link", { name: "Conversations" }).click();
    await page.getByRole("heading", { level: 1, name: "Conversations" }).waitFor();
  });

  it("says that the server cannot be reached, and reconnects by itself", async () => {
    const first = await startTestServer({ example: true, dataDir: folder });
    await converse(first, "before-it", "Where is my order A-1001?");
    const path = `/console/${APP}/conversations?transcript=order`;
    await using opened = await openPage(console.browser, first.address, path);
    const { page } = opened;
    await page.getByRole("link", { name: "A-1001" }).waitFor();
    const { port } = new URL(first.address);
    await first.stop();
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /The server is not responding/);
    assert.equal(await page.getByRole("link", { name: "A-1001" }).count(), 1, "what was read is still shown");
    await using again = await startTestServer({ example: true, dataDir: folder, config: { port: Number(port) } });
    await converse(again, "after-it", "Where is my order A-1002?");
    await page.getByRole("link", { name: "A-1002" }).waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  });
});
