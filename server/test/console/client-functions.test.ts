import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { answered, sendMessage, startSession } from "./chat.ts";
import { api } from "./edit-api.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

describe("a client function in the simulator", { skip: withoutBrowser }, () => {
  const model = new ScriptedModel();
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model, example: false });
    app = await appOfOneAgent(console.server, "map-desk", { agentType: { case: "llmAgent", value: {} } });
    await api(console.server, "POST", `${app}/tools?toolId=show-map`, {
      displayName: "show_map",
      clientFunction: { name: "show_map", parameters: { type: "OBJECT", properties: { city: { type: "STRING" } } } },
    });
    await api(console.server, "PATCH", `${app}/agents/root-agent?updateMask=tools`, {
      tools: [`${app}/tools/show-map`],
    });
  });
  after(() => console[Symbol.asyncDispose]());

  /** The last response of the function that the model got. */
  const heard = () => model.requests.at(-1)?.messages.at(-1)?.parts.at(-1);

  it("is answered by hand, and the answer is there to be changed the next time", async () => {
    model.extend(say("Welcome."), call("show_map", { city: "Bremen" }, "first"), say("There it is."));
    model.extend(call("show_map", { city: "Ulm" }, "second"), say("And there."));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "Show me Bremen", 2);
    const waiting = page.getByRole("region", { name: "Client functions waiting for a result" });
    assert.match(await waiting.innerText(), /Bremen/);
    assert.deepEqual(await violations(page), []);
    await waiting.getByLabel("Result of show_map").fill("not JSON");
    await waiting.locator(".invalid").waitFor();
    assert.equal(await waiting.getByRole("button", { name: "Send result" }).isDisabled(), true);
    await waiting.getByLabel("Result of show_map").fill('{"shown": true}');
    await waiting.getByRole("button", { name: "Send result" }).click();
    await answered(page, 3);
    assert.deepEqual(heard(), { kind: "function-response", id: "first", name: "show_map", response: { shown: true } });
    await sendMessage(page, "Show me Ulm", 4);
    assert.deepEqual(JSON.parse(await waiting.getByLabel("Result of show_map").inputValue()), { shown: true });
    await page.reload();
    await waiting.getByRole("button", { name: "Send result" }).click();
    await answered(page, 5);
    await page.getByText("And there.").waitFor();
    assert.deepEqual(opened.faults, []);
  });

  it("is answered as before without asking, once that is wanted", async () => {
    model.extend(say("Welcome."), call("show_map", { city: "Bremen" }, "one"), say("Shown."));
    model.extend(call("show_map", { city: "Ulm" }, "two"), say("Shown as well."));
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "Show me Bremen", 2);
    await page.getByLabel("Result of show_map").fill('{"shown": 1}');
    await page.getByText("Send this result automatically from now on").click();
    await page.getByRole("button", { name: "Send result" }).click();
    await answered(page, 3);
    await sendMessage(page, "Show me Ulm", 5);
    await page.getByText("Shown as well.").waitFor();
    assert.deepEqual(heard(), { kind: "function-response", id: "two", name: "show_map", response: { shown: 1 } });
  });
});
