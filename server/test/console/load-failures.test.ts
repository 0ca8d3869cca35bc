import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { sendMessage } from "./chat.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const BROKEN = "def broken(:\n    return {}\n";

describe("code that does not load", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    const { server } = console;
    await api(server, "PATCH", `${APP}/agents/front-desk?updateMask=afterAgentCallbacks`, {
      afterAgentCallbacks: [{ pythonCode: BROKEN }],
    });
    await api(server, "PATCH", `${APP}/tools/look_up_order?updateMask=pythonFunction`, {
      pythonFunction: { name: "look_up_order", pythonCode: BROKEN },
    });
    await api(server, "POST", `${APP}/guardrails?guardrailId=broken-check`, {
      displayName: "Broken check",
      enabled: true,
      codeCallback: { beforeModelCallback: { pythonCode: BROKEN } },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
    });
  });
  after(() => console[Symbol.asyncDispose]());

  const LISTS = [
    ["agents", "Front desk"],
    ["tools", "look_up_order"],
    ["guardrails", "Broken check"],
  ] as const;

  for (const [collection, title] of LISTS) {
    it(`is marked in the list of ${collection} and beside its link in the navigation`, async () => {
      await using opened = await console.open(`/console/${APP}/${collection}`);
      const { page, faults } = opened;
      await page.getByRole("row", { name: title }).getByText("Does not load").waitFor();
      const label = `${collection[0]?.toUpperCase()}${collection.slice(1)}`;
      await page.getByRole("link", { name: `${label} , code does not load` }).waitFor();
      assert.equal(await page.getByRole("row", { name: title }).locator(".badge.error").count(), 1);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(faults, []);
    });
  }

  it("is an error of the turn in the chat, in its trace and in the list of conversations", async () => {
    await using opened = await console.open(`/console/${APP}/simulator?sessions=with-broken-code`);
    const { page } = opened;
    await sendMessage(page, "Where is my order A-1001?", 2);
    const failures = page.locator(".turn").nth(1).getByRole("list", { name: "Failed in this turn" });
    await failures.getByText("The code of tool 'look_up_order' does not load").waitFor();
    assert.equal(await page.locator(".span", { hasText: "Turn" }).locator(".bar-fill.failed").count(), 1);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${console.server.address}/console/${APP}/conversations`);
    const row = page.getByRole("row", { name: /Where is my order A-1001/ });
    await row.locator(".badge.error").waitFor();
    assert.equal(await row.getByText("No issues").count(), 0);
  });
});

describe("a guardrail that nothing lists", { skip: withoutBrowser }, () => {
  it("is not shown as enabled, in the list and on its page, until an agent lists it", async () => {
    await using console = await openConsole();
    await api(console.server, "POST", `${APP}/guardrails?guardrailId=unlisted`, {
      displayName: "Unlisted",
      enabled: true,
      contentFilter: { bannedContents: ["teapot"], matchType: "WORD_BOUNDARY_STRING_MATCH" },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
    });
    await using opened = await console.open(`/console/${APP}/guardrails`);
    const { page, faults } = opened;
    const row = page.getByRole("row", { name: "Unlisted" });
    await row.getByText("Not in use").waitFor();
    assert.equal(await row.getByText("Enabled").count(), 0);
    await row.getByRole("link", { name: "Unlisted" }).click();
    await page.getByText("This guardrail does not run, because nothing lists it.").waitFor();
    await api(console.server, "PATCH", `${APP}/agents/returns-desk?updateMask=guardrails`, {
      guardrails: [`${APP}/guardrails/unlisted`],
    });
    await page.locator(".page-head .badge.success", { hasText: "Enabled" }).waitFor();
    await page.getByRole("link", { name: "Guardrails" }).click();
    await row.getByText("Returns").waitFor();
    assert.deepEqual(faults, []);
  });
});
