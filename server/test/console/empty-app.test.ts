import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const EMPTY = "projects/local/locations/us/apps/empty-app";

describe("an app with nothing in it", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
    await api(console.server, "POST", "projects/local/locations/us/apps?appId=empty-app", { displayName: "Empty" });
  });
  after(() => console[Symbol.asyncDispose]());

  const STEPS = [
    { page: "tools", step: "Create tool", dialog: "Create tool" },
    { page: "guardrails", step: "Create guardrail", dialog: "Create guardrail" },
    { page: "examples", step: "Create example", dialog: "Create example" },
    { page: "versions", step: "Create version", dialog: "Create version" },
    { page: "deployments", step: "Create deployment", dialog: "Create deployment" },
  ] as const;

  for (const { page: collection, step, dialog } of STEPS) {
    it(`names the next step under ${collection}, and starts it by keyboard`, async () => {
      await using opened = await console.open(`/console/${EMPTY}/${collection}`);
      const { page, faults } = opened;
      const button = page.getByRole("button", { name: step, exact: true });
      await button.waitFor();
      assert.deepEqual(await violations(page), []);
      await button.press("Enter");
      await page.getByRole("dialog", { name: dialog }).getByRole("textbox", { name: "Name" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.locator(":focus").and(button).waitFor();
      assert.deepEqual(faults, []);
    });
  }

  it("links its validation error to its first agent, which becomes the root agent", async () => {
    await using opened = await console.open(`/console/${EMPTY}/settings`);
    const { page, faults } = opened;
    await page.getByRole("link", { name: "Agents:" }).press("Enter");
    await page.getByRole("button", { name: "Create agent" }).press("Enter");
    await page.getByRole("textbox", { name: "Name" }).fill("Host");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Host", level: 1 }).waitFor();
    await page.getByText("Root agent").waitFor();
    assert.deepEqual(faults, []);
  });

  it("shows the way back from what does not exist", async () => {
    await using opened = await console.open(`/console/${EMPTY}/toolsets/no-such-one`);
    const { page } = opened;
    await page.getByRole("heading", { name: "Toolset not found" }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("link", { name: "All toolsets" }).press("Enter");
    await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
  });
});
