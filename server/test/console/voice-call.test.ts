import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { type LanguageModel, LLM_CAPABILITIES } from "#models";
import { writeWav } from "#speech";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { startDeepgramServer } from "../voice/deepgram-server.ts";
import { NO_ESPEAK, utterance } from "../voice/espeak.ts";
import { espeakSpeech } from "../voice/espeak-speech.ts";
import type { FakeProvider } from "../voice/fake-provider.ts";
import { phraseRecognizer } from "../voice/phrase-recognizer.ts";
import { violations } from "./axe.ts";
import { answered, startSession } from "./chat.ts";
import { type Console, openConsole, withoutBrowser } from "./open-console.ts";

const ASKED = "Where is my order?";
const ANSWER = "It is on its way to you.";

const clerk: LanguageModel = {
  label: "test/clerk",
  capabilities: LLM_CAPABILITIES,
  async *stream({ messages }) {
    const last =
      messages
        .at(-1)
        ?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []))
        .at(-1) ?? "";
    yield { kind: "text-delta", text: last === ASKED ? ANSWER : "Welcome." };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

/** Notes what the page plays: seconds, and how loud the loudest sample is (0 to 1). */
const EAR = `globalThis.played = [];
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...given) {
  const samples = this.buffer.getChannelData(0);
  globalThis.played.push({ seconds: this.buffer.duration, peak: samples.reduce((most, each) => Math.max(most, each), 0) });
  return start.apply(this, given);
};`;

describe("a call in the browser", { skip: withoutBrowser || NO_ESPEAK || false }, () => {
  let folder: string;
  let provider: FakeProvider;
  let console: Console;
  let app: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-call-"));
    const spoken = join(folder, "asked.wav");
    await writeFile(spoken, writeWav({ samples: utterance(ASKED, 48_000), rate: 48_000 }));
    provider = await startDeepgramServer(phraseRecognizer([ASKED, "What is the weather?", "Goodbye"]));
    console = await openConsole({ model: clerk, example: false, config: espeakSpeech(provider) }, [
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${spoken}%noloop`,
    ]);
    app = await appOfOneAgent(console.server, "spoken-desk", { agentType: { case: "llmAgent", value: {} } });
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("is understood and written down, and the answer is played", async () => {
    const before = (context: BrowserContext) => context.addInitScript(EAR);
    await using opened = await console.open(`/console/${app}/simulator`, { before });
    const { page } = opened;
    await startSession(page);
    await page.getByRole("button", { name: "Start voice call" }).click();
    await page.getByText("Listening…").waitFor();
    await page.mouse.move(0, 0);
    await page.locator(".tip").waitFor({ state: "detached" });
    assert.deepEqual(await violations(page), []);
    await page.locator(".bubble.user", { hasText: ASKED }).waitFor({ timeout: 60_000 });
    await page.locator(".bubble.agent", { hasText: ANSWER }).waitFor({ timeout: 60_000 });
    await answered(page, 2);
    await page.waitForFunction("globalThis.played.reduce((sum, { seconds }) => sum + seconds, 0) > 0.8");
    assert.ok(
      (await played(page)).some(({ peak }) => peak > 0.05),
      "what is played is no silence",
    );
    await page.locator(".waterfall .span-name", { hasText: "SpeechToText" }).waitFor();
    await page.getByRole("button", { name: "End call" }).click();
    await page.getByRole("button", { name: "Start voice call" }).waitFor();
    await page.reload();
    await answered(page, 2);
    assert.deepEqual(await page.locator(".bubble.user").allInnerTexts(), [ASKED]);
    assert.deepEqual(opened.faults, []);
  });

  it("that breaks says so, and what was written stays", async () => {
    provider.broken = true;
    await using opened = await console.open(`/console/${app}/simulator`);
    const { page } = opened;
    await startSession(page);
    await page.getByLabel("Message", { exact: true }).fill("Not sent yet");
    await page.getByRole("button", { name: "Start voice call" }).click();
    await page.getByRole("heading", { name: "Voice call not available" }).waitFor({ timeout: 60_000 });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Start voice call" }).waitFor();
    assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "Not sent yet");
  });
});

/** What the page has played so far. */
function played(page: Page): Promise<readonly { readonly seconds: number; readonly peak: number }[]> {
  return page.evaluate("globalThis.played");
}
