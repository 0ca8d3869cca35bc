import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { runCommand } from "../command-line.ts";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { sendMessage, startSession } from "./chat.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

/** Answers nothing to anybody. */
const CALLBACK = `
def before_model_callback(callback_context, llm_request):
    return LlmResponse.from_parts(parts=[Part.from_text(text="")])
`;

describe("a turn without an answer", () => {
  let console: Console;
  let app: string;
  before(async () => {
    console = await openConsole({ example: false });
    const callback = { callback: { case: "pythonCode", value: CALLBACK } } as const;
    app = await appOfOneAgent(console.server, "silent-desk", { beforeModelCallbacks: [callback] });
  });
  after(() => console[Symbol.asyncDispose]());

  it("says so in the simulator", { skip: withoutBrowser }, async () => {
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await sendMessage(page, "hello", 2);
    await page.getByRole("article", { name: "Turn 2" }).getByText("The agent answered nothing.").waitFor();
  });

  it("says so in the terminal", async () => {
    const { code, stdout, stderr } = await runCommand([
      "chat",
      app,
      "--say",
      "hello",
      "--server",
      console.server.address,
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\[no answer\]/);
  });
});
