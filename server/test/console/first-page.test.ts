import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrowserContext } from "playwright-core";
import { answered, sendMessage, startSession } from "./chat.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, type Look, type OpenPage, openConsole, withoutBrowser } from "./open-console.ts";

describe("the console's first page", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  /** Opens the server's address and waits for the place where a conversation begins. */
  async function open(look?: Look): Promise<OpenPage> {
    const opened = await console.open("/", look);
    await opened.page.getByRole("button", { name: "Start session", exact: true }).waitFor();
    return opened;
  }

  it("opens the example, and makes a session when somebody speaks", async () => {
    const { conversations = [] } = await api<{ conversations?: readonly unknown[] }>(
      console.server,
      "GET",
      `${APP}/conversations`,
    );
    await using opened = await open();
    const { page, faults } = opened;
    assert.match(
      new URL(page.url()).pathname,
      /\/console\/projects\/local\/locations\/us\/apps\/order-desk\/simulator$/,
    );
    await page.reload();
    await page.getByRole("button", { name: "Start session", exact: true }).waitFor();
    const { conversations: stored = [] } = await api<{ conversations?: readonly unknown[] }>(
      console.server,
      "GET",
      `${APP}/conversations`,
    );
    assert.deepEqual(stored, conversations, "opening the page stores nothing");
    await startSession(page);
    assert.notEqual(await page.locator(".bubble.agent").first().innerText(), "");
    assert.deepEqual(faults, []);
  });

  it("opens a session with the event of its settings when the first message is sent", async () => {
    await using opened = await open();
    const { page, faults } = opened;
    await sendMessage(page, "Where is my order A-1001?", 2);
    assert.equal(await page.locator(".event").first().innerText(), "Event: welcome");
    await page.reload();
    await answered(page, 2);
    assert.deepEqual(faults, []);
  });

  it("keeps the first message when the server does not take the opening event, and sends both again", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.route("**/StreamRunSession", (route) => route.abort());
    await page.getByLabel("Message", { exact: true }).fill("Is anybody there?");
    await page.keyboard.press("Enter");
    await page.locator('.turn[data-status="failed"] .bubble.user', { hasText: "Is anybody there?" }).waitFor();
    assert.equal(await page.locator(".turn").count(), 1);
    await page.unroute("**/StreamRunSession");
    await page.getByRole("button", { name: "Retry" }).click();
    await answered(page, 2);
    assert.equal(await page.locator(".turn").count(), 2);
  });

  it("answers a question and shows the tool call and the trace", async () => {
    await using opened = await open();
    const { page, faults } = opened;
    await page.getByLabel("Message", { exact: true }).fill("Where is my order A-1001?");
    await page.keyboard.press("Enter");
    await page.locator('.turn[data-status="done"]').nth(1).waitFor();
    const turn = page.locator(".turn").nth(1);
    assert.match(await turn.innerText(), /A-1001/);
    assert.match(await turn.locator(".step.tool").innerText(), /look_up_order/);
    await turn.locator(".step.tool summary").click();
    assert.match(await turn.locator(".step.tool").innerText(), /Response[\s\S]*Ada Bergmann/);
    const spans = await page.locator(".waterfall .span-name").allInnerTexts();
    for (const kind of ["Callback", "LLM", "Tool", "Guardrail"])
      assert.ok(
        spans.some((text) => text.startsWith(kind)),
        `${kind} among ${spans.join(", ")}`,
      );
    await page.locator(".span", { hasText: "LLM" }).first().click();
    assert.match(await page.locator(".detail").innerText(), /model/);
    assert.deepEqual(faults, []);
  });

  it("starts a new session", async () => {
    await using opened = await open();
    const { page } = opened;
    const before = await page.locator(".session-id").innerText();
    await page.getByRole("button", { name: "New session" }).click();
    await page.locator(".session-id", { hasNotText: before }).waitFor();
    assert.equal(await page.locator(".turn").count(), 0);
    await page.locator(".message-box textarea:focus").waitFor();
  });

  it("is sent in less than 280 KB and 45 files", async (t) => {
    const addresses = new Set<string>();
    const before = async (context: BrowserContext) =>
      context.on("request", (request) => {
        // What the page itself fetches is data, not files.
        if (request.method() === "GET" && request.resourceType() !== "fetch") addresses.add(request.url());
      });
    await using _opened = await open({ before });
    const files = await Promise.all(
      [...addresses].map(async (address) => {
        const answer = await fetch(address, { headers: { "accept-encoding": "br" } });
        return { name: new URL(address).pathname, size: Number(answer.headers.get("content-length")) };
      }),
    );
    const sum = files.reduce((total, { size }) => total + size, 0);
    assert.ok(files.length > 3 && files.every(({ size }) => size > 0), `${files.length} files`);
    const table = files.sort((one, other) => other.size - one.size).map(({ name, size }) => `${size} ${name}`);
    t.diagnostic(`${sum} bytes in ${files.length} files`);
    assert.ok(files.length <= 45, `${files.length} files, of which each costs a round trip:\n${table.join("\n")}`);
    assert.ok(sum < 280_000, `${sum} bytes in ${files.length} files:\n${table.join("\n")}`);
  });
});
