import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { type StoredTurn, saying, storeConversation } from "./stored-conversations.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;

/** Tests of the list of conversations with `count` of them: a multiple of 4 above 200, of which the list draws 200. */
export function testManyConversations(count: number): void {
  describe(`finding among ${count} conversations`, { skip: withoutBrowser }, () => testList(count));
}

function testList(count: number): void {
  const [one = 0, other = 0] = [0.35, 0.7].map((part) => Math.round(count * part));
  const written = (value: number) => value.toLocaleString("en-US");
  let console: Console;
  before(async () => {
    console = await openConsole();
    const at = (index: number) => NOON + index * MINUTE_MS;
    const writes = Array.from({ length: count }, (_, index) =>
      storeConversation(
        console.server,
        `many-${index}`,
        [turnOf(index, at(index), index === one || index === other)],
        at(index),
      ),
    );
    await Promise.all(writes);
  });
  after(() => console[Symbol.asyncDispose]());

  it("reads the newest at once and all when asked, and counts what all of them did", async () => {
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page, faults } = opened;
    await page.getByText("100 conversations (the newest; more available)").waitFor();
    await page.getByRole("link", { name: `Question ${count - 1}`, exact: true }).waitFor();
    await page.getByRole("button", { name: "Load all" }).click();
    await page.getByText(`${written(count)} conversations`, { exact: true }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 200, "what nobody asked to see is not drawn");
    await page.getByText(/Loading turns/).waitFor({ state: "detached", timeout: 240_000 });
    await page.getByRole("tab", { name: "Metrics" }).click();
    await page.locator(".time-plot canvas").first().waitFor();
    const cards = await page.locator(".metric-cards").innerText();
    const [all, half, quarter] = [count, count / 2, count / 4].map(written);
    assert.match(
      cards,
      new RegExp(`${all}\\s+${all} turns[\\s\\S]*Failed tool calls\\s+${quarter}\\s+of ${all} calls`),
    );
    const agents = await page.getByRole("region", { name: "Agents" }).innerText();
    assert.match(agents, new RegExp(`Front desk\\s+${half}[\\s\\S]*Returns\\s+${half}`));
    const tools = await page.getByRole("region", { name: "Tools" }).innerText();
    assert.match(tools, new RegExp(`look_up\\s+${all}\\s+${quarter}\\s+20 ms\\s+20 ms\\s+no such order`));
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("searches by text and by the API's filter, by keyboard, and saves the results", async () => {
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page } = opened;
    await page.getByText("100 conversations (the newest; more available)").waitFor();
    await page.getByLabel("Search transcript").fill("needle");
    await page.getByText("2 conversations", { exact: true }).waitFor();
    await page.getByText("Advanced filter").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Filter expression").fill(`customer_conversation_id = "many-${one}"`);
    await page.getByText("1 conversation", { exact: true }).waitFor();
    await page.getByRole("link", { name: `Question ${one} and a needle` }).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export 1" }).press("Enter");
    await page.getByRole("menuitem", { name: /CSV/ }).press("Enter");
    const csv = readFileSync(await (await saving).path(), "utf8");
    const start = new Date(NOON + one * MINUTE_MS).toISOString();
    const row = new RegExp(`apps/order-desk/conversations/many-${one},${start},[^\\n]*Question ${one} and a needle`);
    assert.match(csv, row);
    assert.equal(csv.trim().split("\r\n").length, 2);
  });
}

/** Every fourth turn has a tool that failed; the agents take turns; those that are rare have a word that no other has. */
function turnOf(index: number, at: number, isRare: boolean): StoredTurn {
  const agent = index % 2 === 0 ? "Front desk" : "Returns";
  const span = (name: string, from: number, took: number, attributes: Record<string, string>) => ({
    name,
    startTime: timestampFromMs(at + from),
    endTime: timestampFromMs(at + from + took),
    attributes: { agent, ...attributes },
  });
  const failed: Record<string, string> = index % 4 === 0 ? { error: "no such order" } : {};
  return {
    messages: [saying("user", `Question ${index}${isRare ? " and a needle" : ""}`), saying(agent, "An answer.")],
    rootSpan: { ...span("Turn", 0, 100, {}), childSpans: [span("Tool", 10, 20, { name: "look_up", ...failed })] },
  };
}
