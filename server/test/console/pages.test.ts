import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { COLOURS, darken, hoverEverything, violations } from "./axe.ts";
import { loseServer } from "./lost-server.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { PAGES, seedPages } from "./pages.ts";

const ROUTER = join(import.meta.dirname, "..", "..", "..", "console", "src", "routes", "router.tsx");

/** Fields in which a word has no room, by their labels. */
const CRAMPED = `[...document.querySelectorAll(".input, .select-button, .cm-editor")]
  .filter((field) => field.offsetParent !== null && field.getBoundingClientRect().width < 80)
  .map((field) => field.closest(".field, .code-editor")?.innerText ?? field.outerHTML)`;

/** What the page takes, the part of it that scrolls included. 320 pixels are a window of 1,280 at 400 %. */
const WIDTH = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  done(Math.max(...[...document.querySelectorAll("html, .content")].map((each) => each.scrollWidth))))))`;

describe("every page of the console", { skip: withoutBrowser }, () => {
  let console: Console;
  let addressOf: (path: string) => string;
  before(async () => {
    console = await openConsole();
    addressOf = await seedPages(console.server);
  });
  after(() => console[Symbol.asyncDispose]());

  it("is in the table of pages", () => {
    const routed = readFileSync(ROUTER, "utf8").matchAll(/"(\w+Route)"|component: (\w+Route)\b/g);
    const missing = [...routed]
      .map(([, lazy, eager]) => lazy ?? eager ?? "")
      .filter((name) => !PAGES.some(({ route }) => route === name));
    assert.deepEqual(missing, []);
  });

  it("shows a heading and a way back at an address that has no page", async () => {
    const paths = ["/console/nonsense", `/console/${APP}/nonsense`, `/console/${APP}/tools/a/b`, "/console/projects/x"];
    for (const path of paths) {
      await using opened = await console.open(path, { anew: true });
      const { page } = opened;
      await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
      assert.deepEqual(await violations(page), [], path);
      await page.getByRole("link", { name: path.includes(APP) ? "Open the app" : "All apps" }).click();
      await page.getByRole("heading", { level: 1, name: path.includes(APP) ? "Simulator" : "Apps" }).waitFor();
      assert.deepEqual(opened.faults, [], path);
    }
  });

  it("leads back to the list from a resource that does not exist", async () => {
    for (const collection of ["agents", "tools", "guardrails", "examples", "versions", "deployments", "evaluations"]) {
      await using opened = await console.open(`/console/${APP}/${collection}/not-there`);
      const { page } = opened;
      await page.getByRole("heading", { level: 1, name: "not-there" }).waitFor();
      await page.getByRole("link", { name: `All ${collection}` }).click();
      await page.locator("table").waitFor();
    }
  });

  for (const { route, path, ready } of PAGES) {
    it(`${route} at ${path}: no violation, room at 320 pixels, no call elsewhere, no fault`, async () => {
      await using opened = await console.open(addressOf(path));
      const { page, strangers, faults } = opened;
      await page.locator(ready).first().waitFor();
      const found = await violations(page);
      await page.setViewportSize({ width: 320, height: 740 });
      const width = await page.evaluate(WIDTH);
      const cramped = await page.evaluate(CRAMPED);
      const title = await page.evaluate<string>("document.title");
      const heading = await page.evaluate<string>("document.querySelector('h1')?.textContent");
      assert.deepEqual(
        { found, width, cramped, strangers, faults, title },
        { found: [], width: 320, cramped: [], strangers: [], faults: [], title: `${heading} · Frontdesk` },
      );
    });
  }

  // Each page, in each theme at each width, with and without the pointer: pages.long.test.ts.
  for (const { route, path, ready } of PAGES.filter((_, at) => at % 3 === 0)) {
    it(`${route} at ${path}: no violation under the pointer in dark, and a notice while the server is away`, async () => {
      await using opened = await console.open(addressOf(path));
      const { page } = opened;
      await page.locator(ready).first().waitFor();
      await hoverEverything(page);
      await darken(page);
      assert.deepEqual(await violations(page, COLOURS), []);
      await loseServer(page);
    });
  }
});
