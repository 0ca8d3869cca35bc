import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator } from "playwright-core";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { saying, storeConversation } from "./stored-conversations.ts";

const ARABIC = "رقم الطلب A-1001 هو جاهز. (order #12)";

/** Whether a text begins at the right. */
const beginsRight = (text: Locator) => text.first().evaluate((element) => element.matches(":dir(rtl)"));

describe("texts in scripts from right to left", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("have their own direction in a conversation, beside others", async () => {
    const messages = [saying("user", "Where is it?"), saying("Front desk", ARABIC)];
    await storeConversation(console.server, "arabic", [{ messages, rootSpan: { name: "Turn" } }]);
    await using opened = await console.open(`/console/${APP}/conversations/arabic`);
    const { page } = opened;
    await page.getByText(ARABIC).waitFor();
    assert.equal(await beginsRight(page.getByText(ARABIC)), true);
    assert.equal(await beginsRight(page.locator(".bubble p", { hasText: "Where is it?" })), false);
  });

  it("have it while they are typed: in the simulator, in fields, and line by line in an instruction", async () => {
    const agent = `${APP}/agents/returns-desk`;
    await api(console.server, "PATCH", `${agent}?updateMask=instruction`, {
      instruction: `Greet first.\n${ARABIC}\n{@TOOL: start_return} afterwards.`,
    });
    await using simulator = await console.open(`/console/${APP}/simulator`);
    const box = simulator.page.getByRole("textbox", { name: "Message" });
    await box.fill(ARABIC);
    assert.equal(await beginsRight(box), true);
    await using editor = await console.open(`/console/${agent}`);
    const { page } = editor;
    await page.getByRole("textbox", { name: "Description" }).fill(ARABIC);
    assert.equal(await beginsRight(page.getByRole("textbox", { name: "Description" })), true);
    const lines = page.locator(".cm-line");
    await lines.filter({ hasText: ARABIC }).waitFor();
    const directions = await lines.evaluateAll((all) => all.map((line) => line.matches(":dir(rtl)")));
    assert.deepEqual(directions, [false, true, false]);
    await page.getByRole("button", { name: "Discard" }).click();
  });
});
