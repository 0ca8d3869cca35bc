import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { darken, hoverEverything, violations } from "./axe.ts";
import { loseServer } from "./lost-server.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { PAGES, seedPages } from "./pages.ts";

const WIDTHS = [1360, 360];

describe("every page of the console, in each theme at each width", { skip: withoutBrowser }, () => {
  let console: Console;
  let addressOf: (path: string) => string;
  before(async () => {
    console = await openConsole();
    addressOf = await seedPages(console.server);
  });
  after(() => console[Symbol.asyncDispose]());

  for (const { route, path, ready } of PAGES) {
    for (const width of WIDTHS) {
      it(`${route} at ${path}, loaded at ${width} pixels: no violation, also under the pointer`, async () => {
        await using opened = await console.open(addressOf(path), { width, anew: true });
        const { page, faults } = opened;
        await page.locator(ready).first().waitFor();
        const light = await violations(page);
        await darken(page);
        const dark = await violations(page);
        await hoverEverything(page);
        const darkHovered = await violations(page);
        await page.emulateMedia({ colorScheme: "light" });
        const lightHovered = await violations(page);
        assert.deepEqual(
          { light, dark, darkHovered, lightHovered, faults },
          { light: [], dark: [], darkHovered: [], lightHovered: [], faults: [] },
        );
      });
    }

    it(`${route} at ${path}: a notice while the server is away`, async () => {
      await using opened = await console.open(addressOf(path));
      await opened.page.locator(ready).first().waitFor();
      await loseServer(opened.page);
    });
  }
});
