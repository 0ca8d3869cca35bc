import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { answered, messageBox, sendMessage, startSession } from "./chat.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const SIMULATOR = `/console/${APP}/simulator`;
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("a first chat and its trace", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("greets, answers, shows the prompt as it was sent and what the turn changed", async () => {
    await using opened = await console.open(SIMULATOR);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "Where is my order A-1001?", 2);
    await page.locator(".span", { hasText: "LLM" }).first().click();
    const detail = page.locator(".detail");
    assert.match(await detail.locator(".prompt").innerText(), /Where is my order A-1001\?/);
    assert.match(await detail.locator(".prompt pre").first().innerText(), /front desk/);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("tab", { name: /Variables/ }).click();
    const changes = await page.locator(".state-diff > div", { hasText: "last_order_id" }).innerText();
    assert.match(changes, /before:\s+""\s+after:\s+"A-1001"/);
    await page.getByRole("tab", { name: /Checks/ }).click();
    await page.getByText("before_agent_callbacks[0]").first().waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(opened.faults, []);
  });

  it("is there again after a reload, with what was typed and not sent", async () => {
    await using opened = await console.open(SIMULATOR);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "Where is my order A-1001?", 2);
    const said = await page.locator(".turn").allInnerTexts();
    await messageBox(page).fill("And when was");
    await page.reload();
    await answered(page, 2);
    assert.deepEqual(await page.locator(".turn").allInnerTexts(), said);
    assert.equal(await messageBox(page).inputValue(), "And when was");
    await sendMessage(page, "Where is my order A-1002?", 3);
    assert.deepEqual(opened.faults, []);
  });

  it("sends keys, events, variables and pictures, all by keyboard", async () => {
    await using opened = await console.open(SIMULATOR);
    const { page } = opened;
    await startSession(page);
    await press(page, "Keypad");
    await page.locator(".keys button:focus").waitFor();
    await page.keyboard.type("12#");
    assert.equal(await page.getByLabel("Entered keys").innerText(), "12#");
    await press(page, "Send keys");
    await answered(page, 2);
    await press(page, "Send event");
    await page.getByLabel("Event name").fill("cart_left");
    await page.keyboard.press("Enter");
    await answered(page, 3);
    await press(page, "Set variables");
    await page.getByLabel("customer_name").fill("Ada");
    assert.deepEqual(await violations(page), []);
    await press(page, "Set variables", true);
    await answered(page, 4);
    await page.getByLabel("Files to attach").setInputFiles({ name: "mug.png", mimeType: "image/png", buffer: PICTURE });
    await page.getByRole("button", { name: "Remove mug.png" }).waitFor();
    await sendMessage(page, "This one is broken", 5);
    const inputs = await page.locator(".event").allInnerTexts();
    assert.deepEqual(inputs, ["Event: welcome", "Keys: 12#", "Event: cart_left", "Variables: customer_name"]);
    assert.equal(await page.locator(".sent-file img").count(), 1);
    await page.getByRole("tab", { name: /Variables/ }).click();
    await page.locator("summary", { hasText: "All variables after" }).click();
    assert.match(await page.locator(".trace details[open] pre").innerText(), /"customer_name": "Ada"/);
    assert.deepEqual(opened.faults, []);
  });

  it("runs a version beside the draft and leaves no deployment behind", async () => {
    await api(console.server, "POST", `${APP}/versions?appVersionId=first`, { displayName: "First" });
    await using opened = await console.open(SIMULATOR);
    const { page } = opened;
    await startSession(page);
    await press(page, "Side by side");
    await page
      .locator(".session")
      .nth(1)
      .getByRole("button", { name: /Version or deployment/ })
      .click();
    await page.getByRole("option", { name: /First/ }).click();
    await page.getByText("Send to all").click();
    await messageBox(page).first().fill("Where is my order A-1001?");
    await page.keyboard.press("Enter");
    await answered(page, 4);
    const [, id = ""] = (new URL(page.url()).searchParams.get("sessions") ?? "").split("~");
    const kept = await api<{ appVersion: string }>(console.server, "GET", `${APP}/conversations/${id}`);
    const left = await api<{ deployments?: unknown }>(console.server, "GET", `${APP}/deployments`);
    assert.equal(kept.appVersion, `${APP}/versions/first`);
    assert.deepEqual(left.deployments ?? [], []);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(opened.faults, []);
  });

  it("keeps the text of a failed turn and restores it to the message box", async () => {
    await using opened = await console.open(SIMULATOR);
    const { page } = opened;
    await startSession(page);
    await page.route("**/StreamRunSession", (route) => route.abort());
    await messageBox(page).fill("Is anybody there?");
    await page.keyboard.press("Enter");
    await page.getByText("The server is not responding.").waitFor();
    await page.getByRole("button", { name: "Edit message" }).click();
    assert.equal(await messageBox(page).inputValue(), "Is anybody there?");
    await page.unroute("**/StreamRunSession");
    await page.getByRole("button", { name: "Retry" }).click();
    await answered(page, 2);
    assert.equal(await page.locator(".turn").count(), 2);
  });

  it("says what to configure when there is no speech", async () => {
    await using opened = await console.open(SIMULATOR, {
      before: (context) => context.grantPermissions(["microphone"]),
    });
    const { page } = opened;
    await startSession(page);
    await press(page, "Start voice call");
    await page.getByRole("heading", { name: "Voice call not available" }).waitFor();
    assert.match(await page.getByRole("dialog").innerText(), /docs\/voice\.md/);
    assert.deepEqual(await violations(page), []);
  });
});

/** Presses a button by keyboard. */
async function press(page: Page, name: string, last = false): Promise<void> {
  const buttons = page.getByRole("button", { name, exact: true });
  await (last ? buttons.last() : buttons.first()).focus();
  await page.keyboard.press("Enter");
}
