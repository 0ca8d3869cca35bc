import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

interface AgentAnswer {
  readonly childAgents?: readonly string[];
  readonly tools?: readonly string[];
}

describe("building an app in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await api(console.server, "POST", `${APP}/versions?appVersionId=before-all`, { displayName: "Before all" });
  });
  after(() => console[Symbol.asyncDispose]());

  it("moves an agent under another one by keyboard", async () => {
    await using opened = await console.open(`/console/${APP}/agents`);
    const { page } = opened;
    await page.getByRole("group", { name: "Agent Returns" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /Parent agent/ }).press("ArrowDown");
    await page.getByRole("option", { name: "Order status" }).press("Enter");
    await page
      .getByRole("region", { name: "Agent Returns" })
      .getByRole("button", { name: /^Order status/ })
      .waitFor();
    const child = await api<AgentAnswer>(console.server, "GET", `${APP}/agents/order-status`);
    assert.deepEqual(child.childAgents, [`${APP}/agents/returns-desk`]);
    const root = await api<AgentAnswer>(console.server, "GET", `${APP}/agents/front-desk`);
    assert.deepEqual(root.childAgents, [`${APP}/agents/order-status`]);
    assert.deepEqual(opened.faults, []);
  });

  it("asks for what a toolset cannot do without, and says at the field that it is missing", async () => {
    await using opened = await console.open(`/console/${APP}/tools`);
    const { page } = opened;
    await page.getByRole("button", { name: "Create toolset" }).click();
    const dialog = page.getByRole("dialog", { name: "Create toolset" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("remote");
    await dialog.getByRole("button", { name: /Type/ }).click();
    await page.getByRole("option", { name: /MCP server/ }).click();
    await dialog.getByRole("button", { name: "Create toolset" }).click();
    const field = dialog.locator(".field", { has: page.getByRole("textbox", { name: "Server address" }) });
    await field.getByText("Required field is not set.").waitFor();
    await field.getByRole("textbox").fill("https://tools.example/mcp");
    await dialog.getByRole("button", { name: "Create toolset" }).click();
    await page.getByRole("heading", { name: "remote", level: 1 }).waitFor({ timeout: 20_000 });
  });

  it("deletes by name and says who loses the reference", async () => {
    await using opened = await console.open(`/console/${APP}/tools/get_shop_hours`);
    const { page } = opened;
    await page.getByRole("button", { name: "Delete tool" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Agent Front desk").waitFor();
    const confirm = dialog.getByRole("button", { name: "Delete tool" });
    assert.equal(await confirm.isDisabled(), true);
    await dialog.getByRole("textbox").fill("get_shop_hours");
    await confirm.click();
    await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
    const root = await api<AgentAnswer>(console.server, "GET", `${APP}/agents/front-desk`);
    assert.equal(root.tools?.includes(`${APP}/tools/get_shop_hours`), false);
  });

  it("compares a version with the app as it is now and restores it", async () => {
    await using opened = await console.open(`/console/${APP}/versions/before-all`);
    const { page } = opened;
    await page.getByText("Tool get_shop_hours").waitFor();
    const lines = await page.getByRole("region", { name: "Agent Order status: Child agents" }).innerText();
    assert.match(lines, /removed:\s+"projects\/.*\/agents\/returns-desk"/);
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
    const root = await api<AgentAnswer>(console.server, "GET", `${APP}/agents/front-desk`);
    assert.equal(root.tools?.includes(`${APP}/tools/get_shop_hours`), true);
    assert.equal(root.childAgents?.length, 2);
    assert.deepEqual(opened.faults, []);
  });

  it("loads editors and the graph with the page that needs them", async () => {
    await using opened = await console.open(`/console/${APP}/tools`, { anew: true });
    const { page } = opened;
    await page.getByRole("table").waitFor();
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.deepEqual(
      loaded.filter((name) => /code-mirror|agent-graph|vega|embed/.test(name)),
      [],
    );
  });
});
