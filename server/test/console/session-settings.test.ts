import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { answered, choose, messageBox, sendMessage, startSession } from "./chat.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const PRICE = `def price() -> dict:\n    """Tells the price."""\n    return {"euros": 12}\n`;
const FAKE = `def fake_tool_call(tool, input, callback_context):\n    return {"euros": 99}\n`;

describe("the settings of a session", { skip: withoutBrowser }, () => {
  const model = new ScriptedModel();
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model, example: false });
    app = await appOfOneAgent(
      console.server,
      "prices",
      { instruction: "Be kind.", agentType: { case: "llmAgent", value: {} } },
      { variableDeclarations: [{ name: "city", description: "Where the customer is", schema: { type: 1 } }] },
    );
    await api(console.server, "POST", `${app}/tools?toolId=price`, {
      displayName: "price",
      pythonFunction: { name: "price", pythonCode: PRICE },
      toolFakeConfig: { enableFakeMode: true, codeBlock: { pythonCode: FAKE } },
    });
    await api(console.server, "PATCH", `${app}/agents/root-agent?updateMask=tools`, { tools: [`${app}/tools/price`] });
  });
  after(() => console[Symbol.asyncDispose]());

  it("use tools or their fakes", async () => {
    for (const answer of [12, 99]) model.extend(say("Welcome."), call("price"), say(`It is ${answer}.`));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "What is it?", 2);
    await page.locator(".step.tool summary").click();
    await page.locator(".step.tool", { hasText: '"euros": 12' }).waitFor();
    await page.getByRole("button", { name: "Session settings" }).click();
    await page.getByText("Mock tools").click();
    assert.deepEqual(await violations(page), []);
    await page.getByRole("dialog").getByRole("button", { name: "New session" }).click();
    await page.getByRole("button", { name: "Session settings (modified)" }).waitFor();
    await startSession(page);
    await sendMessage(page, "What is it?", 2);
    await page.locator(".step.tool summary").click();
    await page.locator(".step.tool", { hasText: '"euros": 99' }).waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("set an opening event, variables and historical messages", async () => {
    model.extend(say("Welcome."), say("The teapot is on its way to Ulm."));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await page.getByRole("button", { name: "Session settings" }).click();
    await page.getByLabel("Opening event").fill("");
    await page.getByLabel("city").fill("Ulm");
    await page.getByLabel("Conversation history").fill("I ordered a teapot");
    await page.getByText("has no role").waitFor();
    await page.getByLabel("Conversation history").fill("user: I ordered a teapot\nagent: When was that?");
    await page.getByRole("dialog").getByRole("button", { name: "New session" }).click();
    await page.getByText("Send a message to start").waitFor();
    await sendMessage(page, "Yesterday", 1);
    const messages = JSON.stringify(model.requests.at(-1)?.messages);
    assert.match(messages, /I ordered a teapot[\s\S]*When was that\?[\s\S]*Yesterday/);
    await page.getByRole("tab", { name: /Variables/ }).click();
    await page.locator("summary", { hasText: "All variables after" }).click();
    await page.locator(".trace details[open] pre", { hasText: '"city": "Ulm"' }).waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("set a deployment, and keep the typed text when the target is changed", async () => {
    model.extend(say("Welcome."), say("Welcome from the deployment."), say("Six."));
    await api(console.server, "POST", `${app}/versions?appVersionId=spring`, { displayName: "Spring" });
    const deployment = `${app}/deployments/web-chat`;
    await api(console.server, "POST", `${app}/deployments?deploymentId=web-chat`, {
      displayName: "Web",
      appVersion: `${app}/versions/spring`,
      channelProfile: { channelType: "API" },
    });
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await messageBox(page).fill("When do you close?");
    await choose(page, page.getByRole("button", { name: /Version or deployment/ }), /Web/);
    await page.getByText("Send a message to start").waitFor();
    assert.equal(await messageBox(page).inputValue(), "When do you close?");
    await messageBox(page).press("Enter");
    await answered(page, 2);
    await page.getByText("Welcome from the deployment.").waitFor();
    const id = new URL(page.url()).searchParams.get("sessions");
    const kept = await api<{ deployment: string; appVersion: string }>(
      console.server,
      "GET",
      `${app}/conversations/${id}`,
    );
    assert.deepEqual([kept.deployment, kept.appVersion], [deployment, `${app}/versions/spring`]);
    await api(console.server, "POST", `${app}/versions?appVersionId=late-one`, { displayName: "Late" });
    await page.getByRole("button", { name: /Version or deployment/ }).click();
    await page.getByRole("option", { name: /Late/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Get code" }).click();
    await page
      .getByRole("dialog")
      .locator("pre", { hasText: `"deployment":"${deployment}"` })
      .waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(opened.faults, []);
  });
});
