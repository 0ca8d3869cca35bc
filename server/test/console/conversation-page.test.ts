import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { type StoredTurn, saying, storeConversation } from "./stored-conversations.ts";

const LIST = `/console/${APP}/conversations`;
const STARTED = Date.UTC(2026, 10, 20, 12);
const COUNT = 130;

describe("the page of a stored conversation", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    const turns = [0, 1, 2].map((at) => turnOf(`Question ${at + 1}`, STARTED + at * 60_000));
    await storeConversation(console.server, "three-turns", turns, STARTED);
    for (let at = 0; at < COUNT; at += 1)
      await storeConversation(console.server, `kite-${at}`, [turnOf(`Kite ${at}`, STARTED + at)], STARTED + at);
  });
  after(() => console[Symbol.asyncDispose]());

  it("says when it was, where it came from and what answered", async () => {
    await using opened = await console.open(`${LIST}/three-turns`);
    const facts = opened.page.getByRole("list", { name: "About the conversation" });
    await facts.waitFor();
    const date = await opened.page.evaluate(
      (at) => new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }),
      STARTED,
    );
    assert.deepEqual(await facts.getByRole("listitem").allInnerTexts(), [
      date,
      "under 1 s",
      "3 turns",
      "Live",
      "Draft",
      "en-US",
    ]);
    assert.deepEqual(await violations(opened.page), []);
  });

  it("has the turn and the span in its address, which shows somebody else the same", async () => {
    await using opened = await console.open(`${LIST}/three-turns`);
    const { page } = opened;
    await page.getByRole("button", { name: /of turn 3/ }).click();
    await page
      .getByRole("complementary", { name: "Trace" })
      .getByRole("button", { name: /look_up/ })
      .click();
    await page.waitForURL(/turn=3&span=/);
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    const trace = page.getByRole("complementary", { name: "Trace" });
    await trace.getByRole("heading", { name: "Turn 3" }).waitFor();
    await trace.getByRole("link", { name: "Tool look_up_order" }).waitFor();
  });

  it("leads back to the search, the rows that were loaded and the place in them", async () => {
    await using opened = await console.open(`${LIST}?transcript=kite`);
    const { page } = opened;
    await page.getByRole("button", { name: "Load 100 more" }).click();
    await page.getByText(`${COUNT} conversations`).waitFor();
    const link = page.getByRole("link", { name: "Kite 7", exact: true });
    await page.getByRole("checkbox", { name: "Select kite-9", exact: true }).press("Space");
    await link.click();
    await page.getByRole("button", { name: /of turn 1/ }).click();
    await page.goBack();
    await link.waitFor();
    await page.waitForFunction("document.getElementById('content').scrollTop > 1000");
    await page.getByRole("button", { name: "Export 1" }).waitFor();
    await link.click();
    await page.getByRole("link", { name: "All conversations" }).click();
    await link.waitFor();
    assert.equal(await page.getByLabel("Search transcript").inputValue(), "kite");
    await page.getByText(`${COUNT} conversations`).waitFor();
  });

  it("leads to the next conversation of the search and to the one before, by keyboard, and Back to the list", async () => {
    await using opened = await console.open(`${LIST}?transcript=kite`);
    const { page } = opened;
    await page.getByRole("link", { name: "Kite 128", exact: true }).click();
    await page.getByText("2 of 100").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Next conversation" }).press("Enter");
    await page.waitForURL(/kite-127$/);
    await page.getByText("3 of 100").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/kite-126$/);
    await page.getByText("4 of 100").waitFor();
    await page.getByRole("button", { name: "Previous conversation" }).press("Enter");
    await page.waitForURL(/kite-127$/);
    await page.getByText("3 of 100").waitFor();
    await page.goBack();
    await page.getByText("100 conversations").waitFor();
    assert.equal(await page.getByLabel("Search transcript").inputValue(), "kite");
    await page.goto(`${console.server.address}${LIST}/three-turns`);
    await page.getByRole("link", { name: "All conversations" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Next conversation" }).count(), 0, "it came from no list");
    assert.deepEqual(opened.faults, []);
  });

  it("is in the list of the last hour for an hour, also when the page stays open", async () => {
    const now = Date.now();
    await storeConversation(console.server, "just-now", [turnOf("Just now", now)], now);
    await using opened = await console.open(`${LIST}?time=hour`, { before: (context) => context.clock.install() });
    const { page } = opened;
    await page.getByRole("link", { name: "Just now", exact: true }).waitFor();
    await page.clock.fastForward("01:02:00");
    await page.getByText("No matching conversations").waitFor();
  });

  it("says that a range of time ends before it begins", async () => {
    await using opened = await console.open(`${LIST}?time=custom&from=2026-12-01&until=2026-11-01`);
    await opened.page.getByText("The end date is before the start date").waitFor();
    assert.deepEqual(await violations(opened.page), []);
  });

  it("is printed whole: all turns, also those that are not on screen, in light colours and without buttons", async () => {
    const turns = Array.from({ length: 60 }, (_, at) => turnOf(`Printed ${at + 1}`, STARTED + at * 1_000));
    await storeConversation(console.server, "sixty-turns", turns, STARTED + 10_000_000);
    await using opened = await console.open(`${LIST}/sixty-turns`, { theme: "dark" });
    const { page } = opened;
    await page.getByText("Printed 1", { exact: true }).waitFor();
    assert.equal(await page.getByText("Printed 60", { exact: true }).count(), 0);
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print" });
    await page.getByText("Printed 60", { exact: true }).waitFor();
    assert.equal(await page.getByText("Printed 60", { exact: true }).count(), 1);
    assert.equal(await page.getByRole("button", { name: "JSON" }).isVisible(), false);
    assert.equal(await page.getByRole("navigation", { name: "Main" }).isVisible(), false);
    const [page1, whole, ink] = await page.evaluate<[number, number, string]>(
      "[innerHeight, document.documentElement.scrollHeight, getComputedStyle(document.body).color]",
    );
    assert.ok(whole > 3 * page1, "the page grows as long as what it shows");
    assert.equal(ink, "rgb(29, 35, 33)");
    await page.emulateMedia({ media: "screen" });
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    await page.getByText("Printed 60", { exact: true }).waitFor({ state: "detached" });
  });

  it("copies code also where the page has no clipboard of its own, as without TLS on another machine", async () => {
    await using opened = await console.open(`/console/${APP}/connect`, {
      before: (context) =>
        context.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"),
    });
    const { page } = opened;
    await page.getByRole("button", { name: "Copy curl code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.goto(`${console.server.address}${LIST}`);
    await page.getByLabel("Search transcript").focus();
    await page.keyboard.press("Control+v");
    assert.match(await page.getByLabel("Search transcript").inputValue(), /^curl -s/);
  });

  it("deletes the conversation for good, and it leaves the list", async () => {
    await using opened = await console.open(`${LIST}?transcript=kite`);
    const { page } = opened;
    await page.getByRole("link", { name: `Kite ${COUNT - 1}`, exact: true }).click();
    await page.getByRole("button", { name: "Delete conversation" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete conversation?" });
    await dialog.waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole("button", { name: "Delete conversation" }).click();
    await page.getByRole("link", { name: `Kite ${COUNT - 2}`, exact: true }).waitFor();
    assert.equal(await page.getByRole("link", { name: `Kite ${COUNT - 1}`, exact: true }).count(), 0);
    await assert.rejects(api(console.server, "GET", `${APP}/conversations/kite-${COUNT - 1}`), /NOT_FOUND|404/);
  });
});

/** A turn that asked the example's tool. */
function turnOf(text: string, at: number): StoredTurn {
  const span = (name: string, attributes: Record<string, string>) => ({
    name,
    startTime: timestampFromMs(at),
    endTime: timestampFromMs(at + 20),
    attributes: { agent: "Front desk", ...attributes },
  });
  return {
    messages: [saying("user", text), saying("Front desk", "An answer.")],
    rootSpan: { ...span("Turn", {}), childSpans: [span("LLM", {}), span("Tool", { name: "look_up_order" })] },
  };
}
