import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { APP, type Console, converse, openConsole, withoutBrowser } from "./open-console.ts";

/** Pages with tabs, editors, lists, tables and a trace. */
const PATHS = [
  "agents/front-desk?tab=callbacks",
  "tools/look_up_order",
  "guardrails/no-card-numbers",
  "settings",
  "agents",
  "simulator?sessions=said-before",
  "conversations?view=metrics",
];

/** Stops of the Tab key: the navigation has fifteen. */
const STOPS = 45;

/** What has the focus, unless it or what stands for it (its label, its frame) shows that; "" then. */
const UNMARKED = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "";
  const isMarked = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  };
  const frames = [focused, focused.parentElement, focused.closest("form, .code-editor, .cm-editor, label")];
  const inLabel = [...(focused.closest("label")?.querySelectorAll("*") ?? []), ...focused.querySelectorAll(".graph-node")];
  return [...frames, ...inLabel].some((one) => one && isMarked(one)) ? "" : focused.outerHTML.slice(0, 160);
})()`;

/** Tab panels that would not show that they have the focus. They can have it where nothing in them can. */
const UNMARKED_PANELS = `[...document.querySelectorAll("[role=tabpanel]")].filter((panel) => {
  panel.dataset.focusVisible = "true";
  return getComputedStyle(panel).outlineStyle === "none";
}).map((panel) => panel.id)`;

describe("the keyboard focus", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await converse(console.server, "said-before", "Where is my order A-1001?");
  });
  after(() => console[Symbol.asyncDispose]());

  for (const path of PATHS) {
    it(`is visible wherever it goes at ${path}, tab panels included`, async () => {
      await using opened = await console.open(`/console/${APP}/${path}`, { anew: true });
      const { page } = opened;
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      const unmarked: string[] = [];
      for (let stop = 0; stop < STOPS; stop++) {
        // In an editor for code, Tab indents unless Escape was pressed before.
        if (await page.evaluate("document.activeElement.closest('.cm-editor') !== null"))
          await page.keyboard.press("Escape");
        await page.keyboard.press("Tab");
        unmarked.push(await settledFocus(page));
      }
      assert.deepEqual(unmarked.filter(Boolean), []);
      assert.deepEqual(await page.evaluate(UNMARKED_PANELS), []);
    });
  }

  it("goes to what is in the place of a button that is gone once it was pressed", async () => {
    await using opened = await console.open(`/console/${APP}/evaluations`);
    const { page } = opened;
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await page.getByRole("button", { name: /^Select all \d+$/ }).press("Enter");
    await page.getByRole("button", { name: /^Select all \d+$/ }).waitFor({ state: "detached" });
    assert.equal(await focused(), "Clear selection");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Clear selection" }).waitFor({ state: "detached" });
    assert.match(await focused(), /^Select all \d+$/);
  });

  it("stays at the selection when what was selected is deleted", async () => {
    await converse(console.server, "to-delete", "Do you wrap gifts?");
    await using opened = await console.open(`/console/${APP}/conversations`);
    const { page } = opened;
    await page.getByRole("checkbox", { name: "Select to-delete", exact: true }).press("Space");
    await page.getByRole("button", { name: "Delete 1…" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete 1 conversation" }).press("Enter");
    await page.getByText("Deleted 1 conversation.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("button:focus", { hasText: /^Select all \d+$/ }).waitFor();
  });
});

/** What has the focus and does not show it; "" when it shows it. An editor for code shows it a moment later. */
async function settledFocus(page: Page): Promise<string> {
  let unmarked = "";
  for (let attempt = 0; attempt < 30; attempt++) {
    unmarked = await page.evaluate<string>(UNMARKED);
    if (unmarked === "") return "";
    await setTimeout(100);
  }
  return unmarked;
}
