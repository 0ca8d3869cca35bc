import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { saying, storeConversation } from "./stored-conversations.ts";

describe("what a screen reader says of the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("names the places in lists, by the words above them", async () => {
    await using opened = await console.open(`/console/${APP}/tools`);
    const rail = opened.page.getByRole("navigation", { name: "Main" });
    for (const [group = "", place = ""] of [
      ["App", "Simulator"],
      ["Build", "Agents"],
      ["Evaluate", "Runs"],
      ["Release", "Versions"],
      ["Server", "Audit"],
    ])
      await rail
        .getByRole("list", { name: group, exact: true })
        .getByRole("listitem")
        .getByRole("link", { name: place })
        .waitFor();
    assert.equal(await rail.getByRole("link", { name: "Tools" }).getAttribute("aria-current"), "page");
  });

  it("names who is whose child in the hierarchy, promises no key that does nothing, and lets pass it by", async () => {
    await using opened = await console.open(`/console/${APP}/agents`);
    const { page } = opened;
    const graph = page.getByRole("application", { name: "Agent hierarchy" });
    await graph.getByRole("img", { name: "Order status is a child of Front desk", exact: true }).waitFor();
    const node = graph.getByRole("group", { name: "Agent Order status" });
    const described = await node.getAttribute("aria-describedby");
    assert.equal(
      await page.locator(`[id="${described}"]`).textContent(),
      "Enter selects the agent. Its parent is chosen below the hierarchy.",
    );
    await page.getByRole("link", { name: "Skip the hierarchy" }).press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").innerText(), "Front desk");
    assert.deepEqual(opened.faults, []);
  });

  it("begins in the page that is opened, when what was pressed is gone with the one before", async () => {
    await using opened = await console.open(`/console/${APP}/agents`);
    const { page } = opened;
    await page.getByRole("button", { name: "Create agent" }).press("Enter");
    await page.getByRole("dialog").getByLabel("Name").fill("Night desk");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Night desk" }).waitFor();
    await page.locator("main:focus").waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor();
    assert.equal(await page.locator(":focus").innerText(), "Runs", "the link that was pressed keeps it");
    assert.deepEqual(opened.faults, []);
  });

  it("announces how many conversations were found, and neither what is read of each nor the buttons", async () => {
    await storeConversation(console.server, "spoken-1", [{ messages: [saying("user", "Hello")] }]);
    await using opened = await console.open(`/console/${APP}/conversations`);
    const said = opened.page.getByRole("status").filter({ hasText: "conversation" });
    await said.filter({ hasText: /^1 conversation$/ }).waitFor();
  });
});
