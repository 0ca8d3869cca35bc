import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { api } from "./edit-api.ts";
import { save, saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

describe("a locked app in the console", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await api(console.server, "PATCH", `${APP}?updateMask=locked`, { locked: true });
  });
  after(() => console[Symbol.asyncDispose]());

  it("offers to create and delete nothing in it, and says so on each list", async () => {
    for (const [collection = "", ...buttons] of [
      ["agents", "Create agent"],
      ["tools", "Create tool", "Create toolset"],
      ["guardrails", "Create guardrail"],
      ["examples", "Create example"],
      ["evaluations", "Create evaluation"],
      ["scheduledEvaluationRuns", "Create schedule"],
      ["versions", "Create version"],
      ["deployments", "Create deployment"],
      ["tools/look_up_order", "Delete tool"],
    ]) {
      await using opened = await console.open(`/console/${APP}/${collection}`);
      const { page } = opened;
      await page.getByText("The app is locked, and refuses changes.").waitFor();
      for (const name of buttons) assert.equal(await page.getByRole("button", { name }).count(), 0, name);
      assert.deepEqual(opened.faults, []);
    }
  });

  it("takes no words that would be refused, and says where it is unlocked", async () => {
    await using opened = await console.open(`/console/${APP}/agents/front-desk`);
    const { page } = opened;
    await page.getByText("The app is locked, and refuses changes.").waitFor();
    assert.equal(await page.getByLabel("Name", { exact: true }).isEditable(), false);
    await page.getByRole("link", { name: "its settings" }).click();
    await page.getByText("Nothing else is saved before Locked is switched off.").waitFor();
    await page.getByRole("switch", { name: "Locked" }).press("Space");
    await save(page);
    await saved(page);
    await page.getByText("The app is locked").waitFor({ state: "detached" });
    await page.goBack();
    await page.getByRole("tab", { name: "Instruction" }).waitFor();
    await page.getByText("The app is locked").waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Name", { exact: true }).isEditable(), true);
    assert.deepEqual(opened.faults, []);
  });
});
