import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { AudioEncoding, type SessionOutput, SessionService } from "@frontdesk/protos/ces/session_service";
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

describe("an answer that is spoken while many turns wait (WIRE-58)", () => {
  it("may be interrupted all the same", async () => {
    const may = Promise.withResolvers<void>();
    voice.answer = async function* (words) {
      if (words !== "one") return yield* text("Yes.");
      await may.promise;
      yield* text("This answer is long, so long that nobody wants to hear it to its end, and so it is interrupted.");
    };
    voice.understands.push("stop");
    await using caller = await openVoice(voice.server.address, "gRPC", `${plain}/sessions/${randomUUID()}`);
    for (const words of ["one", "two", "three", "four"]) caller.wire.say(words);
    // With four turns nothing more is read, so nothing tells that they wait.
    await sleep(500);
    may.resolve();
    await caller.until(isSound);
    caller.speak(joinSamples([silence(1_600), buzz(0.5), silence(8_000)]));
    const first = inShort(await caller.turn());
    assert.ok(first.includes("interrupted by the user"), first.join("\n"));
    const words = ["two", "three", "four", "stop"];
    for (const _ of words) await caller.turn();
    const heard = voice.requests.slice(-5).map(({ messages }) => messages.at(-1)?.parts.at(-1));
    assert.deepEqual(
      heard.map((part) => part?.kind === "text" && part.text),
      ["one", ...words],
    );
  });
});

describe("an answer of StreamRunSession that is streamed and spoken (WIRE-57)", () => {
  const outputAudioConfig = { audioEncoding: AudioEncoding.LINEAR16, sampleRateHertz: 8_000 };
  const ask = (app: string, enableTextStreaming: boolean) =>
    createClient(SessionService, createGrpcTransport({ baseUrl: voice.server.address })).streamRunSession({
      config: { session: `${app}/sessions/${randomUUID()}`, outputAudioConfig, enableTextStreaming },
      inputs: [{ inputType: { case: "text", value: "Which seat?" } }],
    });
  const collect = async (app: string, enableTextStreaming: boolean, onSound = () => {}) => {
    const seen: SessionOutput[] = [];
    for await (const { outputs } of ask(app, enableTextStreaming)) {
      seen.push(...outputs);
      if (outputs.some(({ outputType }) => outputType.case === "audio")) onSound();
    }
    return seen;
  };
  const kinds = (outputs: readonly SessionOutput[]) =>
    outputs.map(({ outputType: { case: kind, value } }) => (kind === "text" ? value : kind));

  it("is spoken from its first sentence on, and its text comes in pieces", async () => {
    const { go } = writesInTwo("Seat 7 is free. It", " is by the window.");
    const outputs = await collect(plain, true, go);
    assert.deepEqual(kinds(outputs), ["Seat 7 is free. It", "audio", " is by the window.", "audio", undefined]);
    const spans = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans.filter(({ name }) => name === "TextToSpeech");
    assert.deepEqual(
      spans?.map(({ attributes }) => attributes?.characters),
      ["Seat 7 is free.".length, "It is by the window.".length],
    );
  });

  it("is whole before it is spoken without text streaming, and where a callback sees it first", async () => {
    voice.answer = () => text("Seat 7 is free. It is yours.");
    const sound = ["audio", "audio", undefined];
    assert.deepEqual(kinds(await collect(plain, false)), ["Seat 7 is free. It is yours.", ...sound]);
    assert.deepEqual(kinds(await collect(shouting, true)), ["SEAT 7 IS FREE. IT IS YOURS.", ...sound]);
  });
});
