// `npm run docs:screenshots`: the pictures of docs/images, of a server with the example. Windows, data and words are the same each time; how
// long a turn took is not.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openConsole, withoutBrowser } from "../console/open-console.ts";
import { seedPages } from "../console/pages.ts";
import { fileOf, IMAGES, SHOTS, THEMES, WINDOW } from "./screenshots.ts";

if (withoutBrowser) throw new Error(withoutBrowser);
mkdirSync(IMAGES, { recursive: true });
await using opened = await openConsole();
const complete = await seedPages(opened.server);
for (const { name, path, ready, act } of SHOTS)
  for (const theme of THEMES) {
    await using tab = await opened.open(complete(path), { theme, width: WINDOW.width, anew: true });
    await tab.page.locator(ready).first().waitFor();
    await act?.(tab.page);
    await tab.page.evaluate("document.fonts.ready");
    const file = join(IMAGES, fileOf(name, theme));
    await tab.page.screenshot({ path: file, animations: "disabled", caret: "hide" });
    process.stdout.write(`${file}\n`);
  }
