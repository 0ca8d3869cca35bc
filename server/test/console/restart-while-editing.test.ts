import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer } from "#testing";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { rewrite, save, saved } from "./editing.ts";
import { APP, type Console, openConsole, openPage, withoutBrowser } from "./open-console.ts";

const AGENT = `${APP}/agents/returns-desk`;

describe("a server that restarts while somebody edits", { skip: withoutBrowser }, () => {
  let folder: string;
  let console: Console;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-restart-"));
    console = await openConsole({ example: false });
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("costs nothing of what was typed: saving says why it cannot, and can when the server is back", async () => {
    const first = await startTestServer({ example: true, dataDir: folder });
    await using opened = await openPage(console.browser, first.address, `/console/${AGENT}`);
    const { page } = opened;
    await rewrite(page, "Instruction", "Typed before the server went away");
    await first.stop();
    await page.keyboard.press("Control+S");
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    await bar.getByRole("alert").waitFor();
    assert.match(await bar.innerText(), /The server is not responding\.[\s\S]*Unsaved changes: instruction/);
    assert.deepEqual(await violations(page), []);
    const { port } = new URL(first.address);
    await using again = await startTestServer({ example: true, dataDir: folder, config: { port: Number(port) } });
    await save(page);
    await saved(page);
    const { instruction } = await api<{ instruction: string }>(again, "GET", AGENT);
    assert.equal(instruction, "Typed before the server went away");
  });

  it("costs nothing of what was typed when it is upgraded, and says why the next page has no code", async () => {
    await using server = await startTestServer({ example: true });
    await using opened = await openPage(console.browser, server.address, `/console/${AGENT}`);
    const { page } = opened;
    await rewrite(page, "Instruction", "Typed before the upgrade");
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor();
    await page.route("**/assets/*.js", (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("link", { name: "Changelog" }).click();
    await page.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByText("or was upgraded since the page was opened").waitFor();
    await page.unroute("**/assets/*.js");
    await page.getByRole("button", { name: "Reload page" }).click();
    await page.getByRole("heading", { level: 1, name: "Changelog" }).waitFor();
    await page.goto(`${server.address}/console/${AGENT}`);
    await page.getByText("Typed before the upgrade").waitFor();
    await save(page);
    await saved(page);
  });
});
