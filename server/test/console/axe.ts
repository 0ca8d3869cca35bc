import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ALL = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } as const;

/** What another theme can break: its colours. */
export const COLOURS = { runOnly: { type: "rule", values: ["color-contrast"] } } as const;

type Rules = typeof COLOURS | { readonly runOnly: typeof ALL };

/** Another theme or width takes a frame to arrive at every element. */
const PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Colours change at once, also where nothing is painted and a transition would not begin: in closed details. */
const AT_ONCE = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, ::before { transition: none !important }");
  document.adoptedStyleSheets.push(sheet);
}`;

/** What axe finds wrong with the page in its present state: rule, place, and why, one line each. */
export async function violations(page: Page, rules: Rules = { runOnly: ALL }): Promise<readonly string[]> {
  // Loading it takes as long as a run of it; it stays until the page is left.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(SOURCE);
  await page.evaluate(PAINTED);
  const { violations: found } = await page.evaluate<AxeResults, Rules>(
    // Runs in the page, where axe is a global. Passed rules are not returned, which saves most of the time; and nothing is
    // fetched: only rules that are not run here read style sheets or sound.
    (given) => Reflect.get(globalThis, "axe").run({ ...given, resultTypes: ["violations"], preload: false }),
    rules,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = "" }) => `${id} at ${target.join(" ")}: ${failureSummary.replace(/\s+/g, " ")}`,
    ),
  );
}

/** Switches the theme of the system, which the page follows. */
export async function darken(page: Page): Promise<void> {
  await page.evaluate(AT_ONCE);
  await page.emulateMedia({ colorScheme: "dark" });
}

/** Shows the page as if the pointer were on every control and row at once; lasts until the page is left. */
export async function hoverEverything(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const selector = "a, button, summary, tbody tr, [role=tab], [role=row]";
  const { nodeIds } = await devtools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector });
  await Promise.all(
    nodeIds.map((nodeId) => devtools.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: ["hover"] })),
  );
  // What it listens to would make the next page slower.
  page.once("framenavigated", () => void devtools.detach().catch(() => {}));
  // The components' own mark of a hovered button.
  await page.evaluate('for (const button of document.querySelectorAll(".button")) button.dataset.hovered = "true"');
}
