import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { type Browser, chromium } from "playwright-core";
import { startTestServer, type TestServer } from "#testing";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
const skip = CHROMIUM ? false : "no Chromium on this machine (Debian package: chromium)";

describe("the console's page for questions to data", { skip }, () => {
  let server: TestServer;
  let browser: Browser;
  before(async () => {
    server = await startTestServer({ example: true });
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox", "--disable-gpu"] });
  });
  after(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  it("opens the only agent, and answers with rows, a chart, words and what to ask next", async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`${server.address}/console/data`);
    await page.getByRole("textbox").fill("units sold by category");
    await page.keyboard.press("Enter");
    await page.getByText("What share of the total is each?").waitFor();
    assert.match(new URL(page.url()).pathname, /\/projects\/local\/locations\/us\/dataAgents\/shop$/);
    assert.equal(await page.locator("table tbody tr").count(), 6);
    await page.getByText("Chart as SVG").waitFor();
    assert.match(await page.locator("body").innerText(), /Teapots/);
    assert.deepEqual(faults, []);
    await page.close();
  });
});
