import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AGENT = `${APP}/agents/returns-desk`;

describe("what uses a resource, and how it changed", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    const { instruction } = await api<{ instruction: string }>(console.server, "GET", AGENT);
    const named = `${instruction}\nSay the hours by {@TOOL: get_shop_hours}.`;
    await api(console.server, "PATCH", `${AGENT}?updateMask=instruction`, { instruction: named });
  });
  after(() => console[Symbol.asyncDispose]());

  it("is listed on the page of a tool: fields that name it, and instructions", async () => {
    await using opened = await console.open(`/console/${APP}/tools/get_shop_hours`);
    const { page } = opened;
    const { tools = [] } = await api<{ tools?: { name: string; displayName: string }[] }>(
      console.server,
      "GET",
      `${APP}/tools`,
    );
    const tool = tools.find(({ displayName }) => displayName === "get_shop_hours");
    await page.goto(`${console.server.address}/console/${tool?.name}`);
    await page.getByRole("tab", { name: "Used by" }).click();
    const rows = page.getByRole("table").getByRole("row");
    await rows.filter({ hasText: "Front desk" }).filter({ hasText: "A field" }).waitFor();
    await rows.filter({ hasText: "Returns" }).filter({ hasText: "Instruction or code" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "Returns" }).click();
    await page.waitForURL(new RegExp(`/console/${AGENT}$`));
  });

  it("gives a tool to an agent on the page of the tool, and takes it back", async () => {
    const tool = `${APP}/tools/${await idOf("start_return")}`;
    await using opened = await console.open(`/console/${tool}?tab=uses`);
    const { page } = opened;
    const rows = page.getByRole("table").getByRole("row");
    await rows.filter({ hasText: "Returns" }).waitFor();
    await page.getByRole("button", { name: "Give to an agent" }).click();
    assert.equal(await page.getByRole("option", { name: "Returns" }).count(), 0, "it has the tool");
    await page.getByRole("option", { name: "Order status" }).click();
    await rows.filter({ hasText: "Order status" }).filter({ hasText: "A field" }).waitFor();
    const has = async () =>
      (await api<{ tools: readonly string[] }>(console.server, "GET", `${APP}/agents/order-status`)).tools.includes(
        tool,
      );
    assert.equal(await has(), true);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Undo" }).click();
    await rows.filter({ hasText: "Order status" }).waitFor({ state: "detached" });
    assert.equal(await has(), false);
    assert.deepEqual(opened.faults, []);
  });

  async function idOf(displayName: string): Promise<string> {
    type Tools = { readonly tools: readonly { readonly name: string; readonly displayName: string }[] };
    const { tools } = await api<Tools>(console.server, "GET", `${APP}/tools`);
    return (
      tools
        .find((tool) => tool.displayName === displayName)
        ?.name.split("/")
        .at(-1) ?? ""
    );
  }

  it("is the history of that resource alone, in an address", async () => {
    await using opened = await console.open(`/console/${AGENT}`);
    const { page } = opened;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "History of changes" }).click();
    await page.waitForURL(/changelogs\?resource=/);
    await page.getByText("Changes of agents/returns-desk").waitFor();
    await page.locator("details.change").nth(1).waitFor();
    assert.deepEqual(
      await page.locator("details.change b").allInnerTexts(),
      ["Agent Returns", "Agent Returns"],
      "its creation and the change",
    );
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Show changes of all" }).click();
    await page.locator("details.change", { hasText: "Tool look_up_order" }).waitFor();
    assert.deepEqual(opened.faults, []);
  });
});
