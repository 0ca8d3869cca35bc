import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { joinSamples, silence } from "#speech";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { buzz } from "./buzz.ts";
import { inShort, openVoice, spansOf, type VoiceMessage, WIRES } from "./voice-client.ts";
import { startVoiceServer, text, type VoiceServer } from "./voice-server.ts";

const SHOUTS = `
def after_model_callback(callback_context, llm_response):
    return LlmResponse.from_parts([Part.from_text(llm_response.content.parts[0].text.upper())])
`;

let voice: VoiceServer;
let plain: string;
let shouting: string;
before(async () => {
  voice = await startVoiceServer();
  plain = await appOfOneAgent(voice.server, "plain", { instruction: "Help." });
  const afterModelCallbacks = [{ callback: { case: "pythonCode" as const, value: SHOUTS } }];
  shouting = await appOfOneAgent(voice.server, "shouting", { instruction: "Help.", afterModelCallbacks });
});
after(() => voice[Symbol.asyncDispose]());

const isSound = ({ sessionOutput }: VoiceMessage) => (sessionOutput?.audio?.length ?? 0) > 0;
const isInterruption = ({ interruptionSignal }: VoiceMessage) => Boolean(interruptionSignal);
const charactersSpoken = (turn: readonly VoiceMessage[]) =>
  spansOf(turn, "TextToSpeech").map(({ attributes }) => attributes?.characters);

/** The model writes the first text, and the rest when it may. */
function writesInTwo(first: string, rest: string): { readonly go: () => void } {
  const may = Promise.withResolvers<void>();
  voice.answer = async function* () {
    yield* text(first);
    await may.promise;
    yield* text(rest);
  };
  return { go: may.resolve };
}

describe("an answer that the model has begun (TURN-70)", () => {
  for (const wire of WIRES)
    it(`is spoken from its first sentence on: ${wire}`, async () => {
      const { go } = writesInTwo("Seat 7 is free. It", " is by the window.");
      await using caller = await openVoice(voice.server.address, wire, `${plain}/sessions/${randomUUID()}`);
      caller.wire.say("Which seat?");
      await caller.until(isSound);
      go();
      const turn = await caller.turn();
      assert.ok(inShort(turn).includes("said: Seat 7 is free. It is by the window."), "the text is sent once, whole");
      assert.deepEqual(charactersSpoken(turn), ["Seat 7 is free.".length, "It is by the window.".length]);
    });

  it("is not spoken before a callback has seen it", async () => {
    const { go } = writesInTwo("Seat 7 is free. It", " is yours.");
    await using caller = await openVoice(voice.server.address, "gRPC", `${shouting}/sessions/${randomUUID()}`);
    caller.wire.say("Which seat?");
    setTimeout(go, 300);
    assert.deepEqual(inShort(await caller.turn()), ["said: SEAT 7 IS FREE. IT IS YOURS.", "sound", "completed 1"]);
  });

  it("is over for the ear when the user interrupts it, and whole in the record", async () => {
    const { go } = writesInTwo("Seat 7 is free, and it is by the window, where you see the sea. It", " is yours.");
    voice.understands.push("thanks");
    await using caller = await openVoice(voice.server.address, "gRPC", `${plain}/sessions/${randomUUID()}`);
    caller.wire.say("Which seat?");
    await caller.until(isSound);
    caller.speak(joinSamples([silence(1_600), buzz(0.5), silence(8_000)]));
    await caller.until(isInterruption);
    go();
    const turn = await caller.turn();
    assert.equal(charactersSpoken(turn).length, 1);
    assert.match(inShort(turn).join("\n"), /said: Seat 7 is free.*It is yours\./);
  });
});
