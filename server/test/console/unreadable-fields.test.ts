import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { rewrite, save, saved } from "./editing.ts";
import { APP, type Console, openConsole, withoutBrowser } from "./open-console.ts";

const AGENT = `${APP}/agents/returns-desk`;

describe("a text that is no value of its field", { skip: withoutBrowser }, () => {
  let console: Console;
  before(async () => {
    console = await openConsole();
  });
  after(() => console[Symbol.asyncDispose]());

  it("stays in the JSON of a resource when another tab is looked at, and is not left without a question", async () => {
    await using opened = await console.open(`/console/${AGENT}?tab=json`);
    const { page } = opened;
    const broken = '{ "displayName": "Returns", "description": "Half of it, ';
    await rewrite(page, "JSON of the agent", broken);
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    await bar.getByText("Cannot be read yet: JSON").waitFor();
    assert.equal(await bar.getByRole("button", { name: "Save" }).isDisabled(), true);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("tab", { name: "Tools" }).click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByText("Half of it,").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Tools" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave this page?" });
    await dialog.getByText("What cannot be read yet is lost: JSON.").waitFor();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await rewrite(page, "JSON of the agent", `${broken}and the rest." }`);
    await bar.getByText("Cannot be read yet").waitFor({ state: "detached" });
    await save(page);
    await saved(page);
    const { description } = await api<{ description: string }>(console.server, "GET", AGENT);
    assert.equal(description, "Half of it, and the rest.");
  });

  it("stays in a short field when another tab is looked at", async () => {
    await using opened = await console.open(`/console/${APP}/settings`);
    const { page } = opened;
    await page.getByRole("tab", { name: "Model and guardrails" }).click();
    await page.getByLabel("Temperature").fill("warm");
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    await bar.getByText("Cannot be read yet: temperature").waitFor();
    await page.getByRole("tab", { name: "General" }).click();
    await page.getByLabel("Display name").waitFor();
    await bar.getByText("Cannot be read yet: temperature").waitFor();
    assert.equal(await page.getByLabel("Temperature").isVisible(), false);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("tab", { name: "Model and guardrails" }).click();
    assert.equal(await page.getByLabel("Temperature").inputValue(), "warm");
    await page.getByRole("button", { name: "Discard" }).click();
    await saved(page);
    assert.notEqual(await page.getByLabel("Temperature").inputValue(), "warm");
    assert.deepEqual(opened.faults, []);
  });

  it("keeps its form from being saved without it, until it is corrected or discarded", async () => {
    await using opened = await console.open(`/console/${APP}/variables`);
    const { page } = opened;
    await page.getByRole("button", { name: "Add variable" }).click();
    await page.getByRole("button", { name: /Type/ }).click();
    await page.getByRole("option", { name: "Object" }).click();
    await page.getByLabel("Default value").fill("{ no JSON");
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    await bar.getByText("Cannot be read yet: default").waitFor();
    assert.equal(await bar.getByRole("button", { name: "Save" }).isDisabled(), true);
    await page.getByLabel("Default value").fill('{ "is": "JSON" }');
    await bar.getByText("Cannot be read yet").waitFor({ state: "detached" });
    await page.getByLabel("Default value").fill("{ again none");
    await bar.getByText("Cannot be read yet").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await saved(page);
    assert.deepEqual(opened.faults, []);
  });
});
