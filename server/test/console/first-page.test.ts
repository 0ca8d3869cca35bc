import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { startTestServer, type TestServer } from "#testing";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const skip = CHROMIUM ? false : "no Chromium on this machine (Debian package: chromium)";

describe("the console's first page", { skip }, () => {
  let server: TestServer;
  let browser: Browser;
  before(async () => {
    server = await startTestServer({ example: true });
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
  });
  after(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  /** Opens the page and waits for the greeting; collects what the page complains about. */
  async function open(): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(server.address);
    await page.locator('.turn[data-status="done"]').first().waitFor();
    return { page, faults };
  }

  it("opens the example and greets without being asked", async () => {
    const { page, faults } = await open();
    assert.match(new URL(page.url()).pathname, /\/console\/projects\/local\/locations\/us\/apps\/order-desk$/);
    assert.notEqual(await page.locator(".bubble.agent").first().innerText(), "");
    assert.deepEqual(faults, []);
    await page.close();
  });

  it("answers a question and shows the tool call and the trace", async () => {
    const { page, faults } = await open();
    await page.getByLabel("Message", { exact: true }).fill("Where is my order A-1001?");
    await page.keyboard.press("Enter");
    await page.locator('.turn[data-status="done"]').nth(1).waitFor();
    const turn = page.locator(".turn").nth(1);
    assert.match(await turn.innerText(), /A-1001/);
    assert.match(await turn.locator(".step.tool").innerText(), /look_up_order/);
    await turn.locator(".step.tool summary").click();
    assert.match(await turn.locator(".step.tool").innerText(), /Answered[\s\S]*Ada Bergmann/);
    const spans = await page.locator(".waterfall .span-name").allInnerTexts();
    for (const kind of ["Callback", "LLM", "Tool", "Guardrail"])
      assert.ok(
        spans.some((text) => text.startsWith(kind)),
        `${kind} among ${spans.join(", ")}`,
      );
    await page.locator(".span", { hasText: "LLM" }).first().click();
    assert.match(await page.locator(".detail").innerText(), /model/);
    assert.deepEqual(faults, []);
    await page.close();
  });

  it("starts a new session", async () => {
    const { page } = await open();
    const before = await page.locator(".session-id").innerText();
    await page.getByRole("button", { name: "New session" }).click();
    await page.locator('.turn[data-status="done"]').first().waitFor();
    assert.notEqual(await page.locator(".session-id").innerText(), before);
    assert.equal(await page.locator(".turn").count(), 1);
    await page.close();
  });
});
