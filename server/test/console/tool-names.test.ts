import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { api } from "./edit-api.ts";
import { save, saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const INVALID = ["my tool", "1st", "a-b", "a.b", "naïve", "class", "None", "tool!", "检索"];

describe("the name of a tool", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("is refused in the form that creates it unless it is an identifier", async () => {
    await using opened = await console.open(`/console/${APP}/tools`);
    const { page, faults } = opened;
    await page.getByRole("button", { name: "Create tool", exact: true }).click();
    const dialog = page.getByRole("dialog");
    for (const name of INVALID) {
      await dialog.getByLabel("Name").fill(name);
      await dialog.locator(".invalid").waitFor();
      assert.equal(await dialog.getByRole("button", { name: "Create tool" }).isDisabled(), true, name);
    }
    await dialog.getByLabel("Name").fill("_find_2");
    await dialog.locator(".invalid").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Create tool" }).click();
    await page.getByRole("heading", { level: 1, name: "_find_2" }).waitFor();
    assert.deepEqual(faults, []);
  });

  it("is refused for a toolset, too, whose hyphens become underscores", async () => {
    await using opened = await console.open(`/console/${APP}/tools`);
    const { page } = opened;
    await page.getByRole("button", { name: "Create toolset" }).click();
    const dialog = page.getByRole("dialog");
    for (const name of ["my api", "1st", "a.b"]) {
      await dialog.getByLabel("Name").fill(name);
      await dialog.locator(".invalid").waitFor();
    }
    await dialog.getByLabel("Name").fill("my-api");
    await dialog.locator(".invalid").waitFor({ state: "detached" });
  });

  it("is refused at its field when it is changed, and stays as an import brought it", async () => {
    const odd = "clientFunction" as const;
    const { name } = await api<{ name: string }>(console.server, "POST", `${APP}/tools?toolId=odd-name`, {
      [odd]: { name: "odd name", description: "Before" },
    });
    await using opened = await console.open(`/console/${name}`);
    const { page } = opened;
    await page.getByLabel("Description").fill("After");
    await save(page);
    await saved(page);
    await page.getByLabel("Name", { exact: true }).fill("odder name");
    await save(page);
    await page.locator(".field .invalid", { hasText: "only the letters" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("even_name");
    await save(page);
    await saved(page);
    const { clientFunction } = await api<{ clientFunction: object }>(console.server, "GET", name);
    assert.deepEqual({ ...clientFunction }, { name: "even_name", description: "After" });
  });
});
