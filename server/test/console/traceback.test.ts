import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { startSession } from "./chat.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const BREAKS = `def before_model_callback(callback_context, llm_request):
    print("counting the cups")
    cups = {}
    return cups["blue"]
`;
const BADLY_NAMED = "def after_model(callback_context, llm_response):\n    return None\n";

describe("the trace of a callback that failed", { skip: withoutBrowser }, () => {
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model: new ScriptedModel(say("Welcome."), say("Welcome again.")), example: false });
    const python = (value: string) => [{ callback: { case: "pythonCode" as const, value } }];
    app = await appOfOneAgent(console.server, "broken-cups", {
      agentType: { case: "llmAgent", value: {} },
      beforeModelCallbacks: python(BREAKS),
      afterModelCallbacks: python(BADLY_NAMED),
    });
  });
  after(() => console[Symbol.asyncDispose]());

  it("opens at the failure, shows the line in its code, what was printed, and why callbacks did not run", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page, faults } = opened;
    await startSession(page);
    const detail = page.locator(".detail");
    await detail.getByText("KeyError: 'blue'").first().waitFor();
    assert.match(await detail.locator("li.marked code").innerText(), /return cups\["blue"\]/);
    assert.match(await detail.locator("figcaption").innerText(), /before_model callback 1 of Root, line 4/);
    assert.equal(await detail.locator(".code-block pre").innerText(), "counting the cups");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("tab", { name: /Checks/ }).click();
    const reasons = await page.locator(".callback-runs li", { hasText: "after_model_callbacks[0]" }).innerText();
    assert.match(reasons, /after_model_callback/);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults, []);
  });

  it("links to the line in the editor, and to the callback that never runs according to validation", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page, faults } = opened;
    await startSession(page);
    await page.getByRole("link", { name: "before_model callback 1 of Root, line 4" }).click();
    await page.getByRole("heading", { name: "Before model 1" }).waitFor();
    await page.locator(".cm-activeLine", { hasText: 'return cups["blue"]' }).waitFor();
    await page.goBack();
    await page.getByRole("tab", { name: /Checks/ }).click();
    const said = page.getByRole("status").filter({ hasText: "warnings:" });
    assert.match(await said.innerText(), /Agent 'Root', after_model_callbacks\[0\]/);
    await page.locator(".callback-runs").getByRole("link", { name: "after_model_callbacks[0] of Root" }).click();
    await page.getByRole("heading", { name: "After model 1" }).waitFor();
    await page.getByRole("list", { name: "Problems in Python" }).waitFor();
    assert.deepEqual(faults, []);
  });
});

describe("the trace of a call of a tool that there is none of", { skip: withoutBrowser }, () => {
  it("says why it failed, in the turn and first in the span", async () => {
    const model = new ScriptedModel(call("find_parcel", { id: 7 }), say("I cannot find it."));
    await using console = await openConsole({ model, example: false });
    const app = await appOfOneAgent(console.server, "no-tools", { agentType: { case: "llmAgent", value: {} } });
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    const step = page.locator(".step.tool summary");
    assert.match(await step.innerText(), /^find_parcel failed \{"id":7\}\s+Tool not found: find_parcel$/);
    const detail = page.getByRole("region", { name: "Span Tool" });
    assert.equal(await detail.getByRole("alert").innerText(), "Tool not found: find_parcel");
    assert.deepEqual(await violations(page), []);
  });
});
