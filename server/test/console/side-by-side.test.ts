import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { violations } from "./axe.ts";
import { answered, messageBox, sendMessage, startSession } from "./chat.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const patience = Promise.withResolvers<void>();

/** Answers how many messages it got: sessions that were mixed up would not agree. Answers "Slowly" when it may. */
const counter: LanguageModel = {
  label: "test/counter",
  capabilities: LLM_CAPABILITIES,
  async *stream({ messages }) {
    if (JSON.stringify(messages.at(-1)).includes("Slowly")) await patience.promise;
    yield { kind: "text-delta", text: `Heard ${messages.length}.` };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

describe("sessions side by side", { skip: withoutBrowser }, () => {
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ model: counter, example: false });
    app = await appOfOneAgent(console.server, "beside", { agentType: { case: "llmAgent", value: {} } });
  });
  after(() => console[Symbol.asyncDispose]());

  it("are four at most, get what is sent to all, and are closed and restarted one by one", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    const session = (at: number) => page.locator(".session").nth(at);
    const add = page.getByRole("button", { name: "Side by side" });
    await startSession(page);
    for (let count = 2; count <= 4; count++) {
      await add.click();
      await startSession(session(count - 1));
    }
    assert.equal(await add.isDisabled(), true);
    assert.deepEqual(await violations(page), []);
    await sendMessage(session(0), "Only you", 2);
    await page.getByText("Send to all").click();
    await messageBox(session(2)).fill("All of you");
    await messageBox(session(2)).press("Enter");
    for (const at of [1, 2, 3]) await session(at).getByText("Heard 3.").waitFor();
    await session(0).getByText("Heard 5.").waitFor();
    await session(3).getByRole("button", { name: "Close session" }).click();
    await page.locator(".session").nth(3).waitFor({ state: "detached" });
    const said = await session(0).locator(".turn").allInnerTexts();
    await session(1).getByRole("button", { name: "Restart session" }).click();
    await session(1).getByText("Heard 3.").waitFor({ state: "detached" });
    await startSession(session(1));
    await page.reload();
    await answered(session(0), 3);
    assert.deepEqual(await session(0).locator(".turn").allInnerTexts(), said);
    assert.equal(await page.locator(".session").count(), 3);
    assert.deepEqual(opened.faults, []);
  });

  it("get what is sent to all together, also while one of them still answers", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    const session = (at: number) => page.locator(".session").nth(at);
    await startSession(page);
    await page.getByRole("button", { name: "Side by side" }).click();
    await startSession(session(1));
    await messageBox(session(0)).fill("Slowly");
    await messageBox(session(0)).press("Enter");
    await session(0).locator('.turn[data-status="running"]').waitFor();
    await page.getByText("Send to all").click();
    await messageBox(session(1)).fill("All of you");
    await messageBox(session(1)).press("Enter");
    assert.equal(await session(1).getByRole("button", { name: "Send", exact: true }).isDisabled(), true);
    assert.equal(await messageBox(session(1)).inputValue(), "All of you");
    patience.resolve();
    await answered(session(0), 2);
    await messageBox(session(1)).press("Enter");
    await answered(session(1), 2);
    await answered(session(0), 3);
  });

  it("leave the focus where somebody types when another session has answered", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    const session = (at: number) => page.locator(".session").nth(at);
    await startSession(session(0));
    await page.getByRole("button", { name: "Side by side" }).click();
    await startSession(session(1));
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/StreamRunSession", async (route) => {
      await released;
      await route.continue();
    });
    await messageBox(session(0)).fill("Hello");
    await session(0).getByRole("button", { name: "Send", exact: true }).click();
    await messageBox(session(1)).click();
    await page.keyboard.type("I am ty");
    release();
    await answered(session(0), 2);
    await page.keyboard.type("ping");
    assert.equal(await messageBox(session(1)).inputValue(), "I am typing");
    assert.equal(await messageBox(session(0)).inputValue(), "");
  });

  it("show the trace of the turn that was chosen, of whichever session", async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "Hello", 2);
    await page.getByRole("button", { name: "Side by side" }).click();
    await startSession(page.locator(".session").nth(1));
    const trace = page.getByRole("complementary", { name: "Trace" });
    await page.locator(".session").first().getByRole("button", { name: "Trace of turn 2" }).click();
    await trace.getByRole("heading", { name: "Turn 2" }).waitFor();
    await page.locator(".session").nth(1).getByRole("button", { name: "Trace of turn 1" }).click();
    await trace.getByRole("heading", { name: "Turn 1" }).waitFor();
  });
});
