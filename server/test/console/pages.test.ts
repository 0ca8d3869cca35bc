import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { COLOURS, darken, hoverEverything, violations } from "./axe.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { PAGES, seedPages } from "./pages.ts";

const ROUTER = join(import.meta.dirname, "..", "..", "..", "console", "src", "routes", "router.tsx");

/** Fields in which a word has no room, by their labels. */
const CRAMPED = `[...document.querySelectorAll(".input, .select-button, .cm-editor")]
  .filter((field) => field.offsetParent !== null && field.getBoundingClientRect().width < 80)
  .map((field) => field.closest(".field, .code-editor")?.innerText ?? field.outerHTML)`;

/** Comes back to the tab, which makes the page ask the server at once. */
const lookAgain = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

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

  // Each theme at each width, with and without the pointer: pages.long.test.ts.
  for (const { route, path, ready } of PAGES) {
    it(`${route} at ${path}: no violation in light and dark, room at 360 pixels, no call elsewhere, no fault`, async () => {
      await using opened = await console.open(addressOf(path));
      const { page, strangers, faults } = opened;
      await page.locator(ready).first().waitFor();
      const light = await violations(page);
      await hoverEverything(page);
      await darken(page);
      const dark = await violations(page, COLOURS);
      await page.setViewportSize({ width: 360, height: 740 });
      const width = await page.evaluate("document.documentElement.scrollWidth");
      const cramped = await page.evaluate(CRAMPED);
      assert.deepEqual(
        { light, dark, width, cramped, strangers, faults },
        { light: [], dark: [], width: 360, cramped: [], strangers: [], faults: [] },
      );
      await page.route("**/*", (route) => route.abort());
      await lookAgain(page);
      const notice = page.getByRole("alert").filter({ hasText: "The server is not responding" }).first();
      await notice.waitFor();
      await page.unrouteAll();
      await lookAgain(page);
      await notice.waitFor({ state: "detached" });
    });
  }
});
