import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";
import { RESOURCES } from "./pages.ts";

/** Each dialog: the page, the button that opens it, and its title. */
const DIALOGS: readonly (readonly [path: string, button: string, title: string])[] = [
  ["simulator", "Set variables", "Session variables"],
  ["simulator", "Send event", "Send event"],
  ["simulator", "Keypad", "Keypad"],
  ["simulator", "Get code", "Code samples"],
  ["simulator", "Session settings", "Session settings"],
  ["simulator", "Start voice call", "Voice call not available"],
  ["agents", "Create agent", "Create agent"],
  ["tools", "Create tool", "Create tool"],
  ["tools", "Create toolset", "Create toolset"],
  ["guardrails", "Create guardrail", "Create guardrail"],
  ["tools/look_up_order", "Delete tool", "Delete tool “look_up_order”?"],
  ["versions/seeded-version", "Restore", "Restore “Seeded”?"],
  ["deployments", "Create deployment", "Create deployment"],
  ["settings", "Export", "Export Order desk"],
];

/** Elements whose text has no room and is cut. */
const CUT = `[...document.querySelectorAll(".dialog p, .dialog h2, .dialog h3, .dialog label, .dialog [slot=description], .dialog .button")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || /…$/.test(one.textContent.replace(/Loading.*$/, "")))
  .map((one) => one.textContent)`;

describe("every dialog of the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    for (const [path, body] of RESOURCES) await api(console.server, "POST", `${APP}/${path}`, body);
  });
  after(() => console[Symbol.asyncDispose]());

  it("keeps what was typed when a click beside it misses", async () => {
    await using opened = await console.open(`/console/${APP}/versions`);
    const { page } = opened;
    await page.getByRole("button", { name: "Create version" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Create version" });
    await dialog.getByRole("textbox", { name: "Description" }).fill("Three sentences about what changed.");
    await page.mouse.click(5, 5);
    assert.equal(
      await dialog.getByRole("textbox", { name: "Description" }).inputValue(),
      "Three sentences about what changed.",
    );
    // The focus comes back to the dialog with the next frame.
    await dialog.locator("textarea:focus").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("has a button that closes it, whole sentences, and gives the focus back", async () => {
    for (const [path, button, title] of DIALOGS) {
      await using opened = await console.open(`/console/${APP}/${path}`, { width: path === "agents" ? 1360 : 390 });
      const { page, faults } = opened;
      await page.getByRole("button", { name: button, exact: true }).first().click();
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.waitFor();
      await dialog.getByText("Checking references…").waitFor({ state: "detached" });
      assert.deepEqual(await page.evaluate(CUT), [], title);
      assert.deepEqual(await violations(page), [], title);
      await dialog.getByRole("button", { name: "Close", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      assert.deepEqual(faults, [], title);
    }
  });
});
