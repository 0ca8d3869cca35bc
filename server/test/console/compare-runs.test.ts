import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

describe("editing an instruction and comparing two runs", { skip: withoutBrowser }, () => {
  const model = new ScriptedModel(say("Welcome."), say("We are open until six."), (request) =>
    say(request.system.includes("Be brief") ? "Six." : "The instruction was not changed."),
  );
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model, example: false });
    app = await appOfOneAgent(console.server, "compared", {
      instruction: "Be kind.",
      agentType: { case: "llmAgent", value: {} },
    });
  });
  after(() => console[Symbol.asyncDispose]());

  it("shows both beside each other and leaves the app as it was", async () => {
    await using opened = await console.open(`/console/${app}`);
    const { page } = opened;
    await page.locator('.turn[data-status="done"]').first().waitFor();
    await page.getByLabel("Message", { exact: true }).fill("When do you close?");
    await page.keyboard.press("Enter");
    await page.locator('.turn[data-status="done"]').nth(1).waitFor();
    await page.getByRole("button", { name: "Run again with changes" }).click();
    await page.getByLabel("Instruction").fill("Be brief.");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const runs = page.locator(".run[data-status='done']");
    await runs.nth(1).waitFor();
    assert.match(await runs.nth(0).innerText(), /We are open until six\./);
    assert.match(await runs.nth(1).innerText(), /Six\./);
    await page.getByText("What is different in the words").click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    const texts = (message: { parts: readonly unknown[] } | undefined) => message?.parts;
    assert.deepEqual(texts(model.requests[2]?.messages.at(-2)), texts(model.requests[1]?.messages.at(-2)));
    const { apps } = await api<{ apps: readonly { name: string }[] }>(
      console.server,
      "GET",
      "projects/-/locations/-/apps",
    );
    assert.deepEqual(
      apps.map(({ name }) => name),
      [app],
    );
    const agent = await api<{ instruction: string }>(console.server, "GET", `${app}/agents/root-agent`);
    assert.equal(agent.instruction, "Be kind.");
    assert.deepEqual(opened.faults, []);
  });
});
