import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { type StoredTurn, saying, storeConversation } from "./stored-conversations.ts";

const MANY = 2_000;
const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;

describe("finding among 2,000 conversations", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    const at = (index: number) => NOON + index * MINUTE_MS;
    const writes = Array.from({ length: MANY }, (_, index) =>
      storeConversation(console.server, `many-${index}`, [turnOf(index, at(index))], at(index)),
    );
    await Promise.all(writes);
  });
  after(() => console[Symbol.asyncDispose]());

  it("reads the newest at once and all when asked, and counts what all of them did", async () => {
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page, faults } = opened;
    await page.getByText("100 conversations (the newest; more available)").waitFor();
    await page.getByRole("link", { name: `Question ${MANY - 1}`, exact: true }).waitFor();
    await page.getByRole("button", { name: "Load all" }).click();
    await page.getByText("2,000 conversations", { exact: true }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 200, "what nobody asked to see is not drawn");
    await page.getByText(/Loading turns/).waitFor({ state: "detached", timeout: 240_000 });
    await page.getByRole("tab", { name: "Metrics" }).click();
    await page.locator(".time-plot canvas").first().waitFor();
    const cards = await page.locator(".metric-cards").innerText();
    assert.match(cards, /2,000\s+2,000 turns[\s\S]*Failed tool calls\s+500\s+of 2,000 calls/);
    const agents = await page.getByRole("region", { name: "Agents" }).innerText();
    assert.match(agents, /Front desk\s+1,000[\s\S]*Returns\s+1,000/);
    const tools = await page.getByRole("region", { name: "Tools" }).innerText();
    assert.match(tools, /look_up\s+2,000\s+500\s+20 ms\s+20 ms\s+no such order/);
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
    await page.getByLabel("Filter expression").fill('customer_conversation_id = "many-700"');
    await page.getByText("1 conversation", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Question 700 and a needle" }).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export 1" }).press("Enter");
    await page.getByRole("menuitem", { name: /CSV/ }).press("Enter");
    const csv = readFileSync(await (await saving).path(), "utf8");
    assert.match(
      csv,
      /apps\/order-desk\/conversations\/many-700,2026-11-20T23:40:00.000Z,[^\n]*Question 700 and a needle/,
    );
    assert.equal(csv.trim().split("\r\n").length, 2);
  });
});

/** Every fourth turn has a tool that failed; the agents take turns; two have a rare word in them. */
function turnOf(index: number, at: number): StoredTurn {
  const agent = index % 2 === 0 ? "Front desk" : "Returns";
  const rare = index === 700 || index === 1_400 ? " and a needle" : "";
  const span = (name: string, from: number, took: number, attributes: Record<string, string>) => ({
    name,
    startTime: timestampFromMs(at + from),
    endTime: timestampFromMs(at + from + took),
    attributes: { agent, ...attributes },
  });
  const failed: Record<string, string> = index % 4 === 0 ? { error: "no such order" } : {};
  return {
    messages: [saying("user", `Question ${index}${rare}`), saying(agent, "An answer.")],
    rootSpan: { ...span("Turn", 0, 100, {}), childSpans: [span("Tool", 10, 20, { name: "look_up", ...failed })] },
  };
}
