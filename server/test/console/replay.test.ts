import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ModelRequest } from "#models";
import { call, ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { sendMessage, startSession } from "./chat.ts";
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
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "When do you close?", 2);
    await page.getByRole("button", { name: "Replay with edits" }).click();
    await page.getByLabel("Instruction").fill("Be brief.");
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    const runs = page.locator(".run[data-status='done']");
    await runs.nth(1).waitFor();
    assert.match(await runs.nth(0).innerText(), /We are open until six\./);
    assert.match(await runs.nth(1).innerText(), /Six\./);
    await page.getByText("Compare transcripts").click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Replay", exact: true }).waitFor();
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

  it("runs a turn with another result of a tool and another model, and leaves the tool alone", async () => {
    const name = `${app}/tools/clock`;
    const pythonCode = `def clock() -> dict:\n    """Tells the time."""\n    return {"hour": 9}\n`;
    await api(console.server, "POST", `${app}/tools?toolId=clock`, {
      displayName: "clock",
      pythonFunction: { name: "clock", pythonCode },
    });
    await api(console.server, "PATCH", `${app}/agents/root-agent?updateMask=tools`, { tools: [name] });
    const tellsTime = (request: ModelRequest) => say(`It is ${JSON.stringify(request.messages.at(-1)?.parts.at(-1))}`);
    model.extend(say("Welcome."), call("clock"), tellsTime, call("clock"), tellsTime);
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "What time is it?", 2);
    await page.getByRole("button", { name: "Replay with edits" }).click();
    const run = page.getByRole("button", { name: "Replay", exact: true });
    await page.getByLabel("Result of clock").fill("[3]");
    assert.equal(await run.isDisabled(), true);
    await page.getByLabel("Result of clock").fill('{"hour": 21}');
    await page.getByLabel("Model").fill("openai/another");
    const changed = page.waitForRequest(/\/UpdateAgent$/);
    await run.click();
    assert.match((await changed).postDataBuffer()?.toString("latin1") ?? "", /openai\/another/);
    const runs = page.locator(".run[data-status='done']");
    await runs.nth(1).waitFor();
    assert.match(await runs.nth(0).locator(".bubble.agent").innerText(), /"hour":9/);
    assert.match(await runs.nth(1).locator(".bubble.agent").innerText(), /"hour":21/);
    assert.deepEqual(opened.faults, []);
  });
});
