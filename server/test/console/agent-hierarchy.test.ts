import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { choose } from "./chat.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

interface AgentAnswer {
  readonly childAgents?: readonly string[];
}

describe("the hierarchy of agents in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  const childrenOf = async (agent: string) =>
    (await api<AgentAnswer>(console.server, "GET", `${APP}/agents/${agent}`)).childAgents ?? [];

  it("offers an agent neither itself nor an agent above it as a child", async () => {
    await using opened = await console.open(`/console/${APP}/agents/order-status?tab=transfers`);
    const { page, faults } = opened;
    const children = page.getByRole("group", { name: "Child agents" });
    await children.getByRole("checkbox", { name: /^Returns/ }).waitFor();
    assert.deepEqual(await children.getByRole("checkbox").count(), 1, "neither Order status nor Front desk");
    assert.match(await children.innerText(), /Is a child of Front desk\./);
    assert.deepEqual(faults, []);
  });

  it("puts an agent back to its place among its siblings when a move is undone", async () => {
    const before = await childrenOf("front-desk");
    assert.equal(before.length, 2);
    await using opened = await console.open(`/console/${APP}/agents`);
    const { page, faults } = opened;
    await page.getByRole("group", { name: /^Agent Order status/ }).click();
    await choose(page, page.getByRole("button", { name: /Parent agent/ }), "Returns");
    await page.getByText("Order status is now a child of Returns.").waitFor();
    assert.equal((await childrenOf("front-desk")).length, 1);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Order status is now a child of Returns.").waitFor({ state: "detached" });
    assert.deepEqual([await childrenOf("front-desk"), await childrenOf("returns-desk")], [before, []]);
    assert.deepEqual(faults, []);
  });
});
