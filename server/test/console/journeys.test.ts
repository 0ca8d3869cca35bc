import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { systemClock } from "#base";
import { startTestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { choose } from "./chat.ts";
import { type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

const DAY_MS = 86_400_000;
const BREAKS = `
def before_model_callback(callback_context, llm_request):
    if "till" in str(llm_request.contents):
        raise KeyError("till is broken")
`;

describe("a journey through the console", { skip: withoutBrowser }, () => {
  let folder: string;
  let app: string;
  let console: Console;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-journey-"));
    const clock = { now: () => systemClock.now() - DAY_MS };
    await using yesterday = await startTestServer({ dataDir: folder, clock });
    app = await appOfOneAgent(yesterday, "tea-shop", {
      beforeModelCallbacks: [{ callback: { case: "pythonCode", value: BREAKS } }],
    });
    await converse(yesterday, "early-bird", "Good morning", app);
    await converse(yesterday, "angry-bird", "The till took my card twice", app);
  });
  before(async () => {
    console = await openConsole({ dataDir: folder });
    await converse(console.server, "late-bird", "The till is still broken", app);
  });
  after(async () => {
    await console[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("finds yesterday's failed conversation, and why it failed", async () => {
    await using opened = await console.open(`/console/${app}/conversations`);
    const { page, faults } = opened;
    await page.getByText("The till is still broken").waitFor();
    await choose(page, page.getByRole("button", { name: "Time range" }), "Yesterday");
    await page.getByText("The till is still broken").waitFor({ state: "detached" });
    await choose(page, page.getByRole("button", { name: "Outcome" }), "Failures");
    await page.getByText("1 conversation", { exact: false }).first().waitFor();
    await page.getByText("Good morning").waitFor({ state: "detached" });
    assert.match(page.url(), /time=yesterday&outcome=failed|outcome=failed&time=yesterday/);
    await page.getByRole("link", { name: "The till took my card twice" }).click();
    await page.locator(".waterfall").getByText("Callback").first().click();
    await page.getByText("till is broken").first().waitFor();
    assert.deepEqual(faults, []);
  });

  it("searches texts of conversations, and exports the selection", async () => {
    await using opened = await console.open(`/console/${app}/conversations?transcript=card`);
    const { page } = opened;
    await page.getByRole("checkbox", { name: "Select angry-bird" }).press("Space");
    await page.getByRole("button", { name: "Export 1" }).click();
    const saving = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "JSON, full conversations" }).click();
    const [conversation] = JSON.parse(readFileSync(await (await saving).path(), "utf8"));
    assert.equal(conversation.name, `${app}/conversations/angry-bird`);
    assert.equal(conversation.turns.length, 1);
  });

  it("asks the sample data and saves the chart", async () => {
    await using opened = await console.open("/console/dataAgents");
    const { page, faults } = opened;
    await page.getByRole("heading", { name: "Measures" }).waitFor();
    await page.getByRole("textbox").fill("units sold by category");
    await page.keyboard.press("Enter");
    const svg = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download SVG" }).click();
    assert.match(readFileSync(await (await svg).path(), "utf8"), /^<svg[\s\S]*Teapots/);
    const png = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download PNG" }).click();
    assert.equal(readFileSync(await (await png).path()).toString("latin1", 1, 4), "PNG");
    await page.getByRole("tab", { name: "Table" }).click();
    const csv = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    assert.match(readFileSync(await (await csv).path(), "utf8"), /^category,units_sold\r\n/);
    assert.deepEqual(faults, []);
  });
});
