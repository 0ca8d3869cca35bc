import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type AppSchema, ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import { joinSamples, silence } from "#speech";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { buzz, SAID } from "./buzz.ts";
import { inShort, openVoice, soundOf, spansOf, TELEPHONE, type VoiceMessage } from "./voice-client.ts";
import { startVoiceServer, text, type VoiceServer } from "./voice-server.ts";

type AppSettings = MessageInitShape<typeof AppSchema>;

let voice: VoiceServer;
before(async () => {
  voice = await startVoiceServer();
});
after(() => voice[Symbol.asyncDispose]());

/** A new app with these settings, and the name of a session of it. */
async function sessionOf(app: AppSettings = {}): Promise<string> {
  const tools = ["customize_response", "end_session"];
  const name = await appOfOneAgent(
    voice.server,
    `app-${randomUUID().slice(0, 8)}`,
    { instruction: "Help.", tools },
    app,
  );
  return `${name}/sessions/${randomUUID()}`;
}

const isText = ({ sessionOutput }: VoiceMessage) => sessionOutput?.text !== undefined && sessionOutput.text !== "";
const isSound = ({ sessionOutput }: VoiceMessage) => (sessionOutput?.audio?.length ?? 0) > 0;
const isInterruption = ({ interruptionSignal }: VoiceMessage) =>
  interruptionSignal !== undefined && interruptionSignal !== null;

describe("a user of a voice conversation", () => {
  it("is recognized although the audio stops in the middle", async () => {
    await using caller = await openVoice(voice.server.address, "gRPC", await sessionOf());
    voice.understands.push("cut off");
    caller.speak(joinSamples([silence(3_200), buzz(0.5)]));
    assert.deepEqual(inShort(await caller.turn()), [
      "heard: cut",
      "heard: cut off",
      "said: cut off?",
      "sound",
      "completed 1",
    ]);
  });

  it("is answered although the client half-closes right after the speech", async () => {
    const session = await sessionOf();
    await using caller = await openVoice(voice.server.address, "gRPC", session);
    voice.understands.push("and gone");
    caller.speak(SAID.subarray(0, 8_000));
    caller.wire.halfClose();
    assert.deepEqual(inShort(await caller.turn()).slice(-3), ["said: and gone?", "sound", "completed 1"]);
    assert.equal(await caller.next(), undefined);
  });

  it("is not answered without speech", async () => {
    await using caller = await openVoice(voice.server.address, "WebSocket", await sessionOf());
    voice.understands.push("", "words");
    caller.speak(SAID);
    caller.speak(SAID);
    assert.deepEqual(inShort(await caller.turn()).slice(-3), ["said: words?", "sound", "completed 1"]);
  });

  it("may send audio faster than real time: every utterance is a turn, in order", async () => {
    const session = await sessionOf();
    await using caller = await openVoice(voice.server.address, "WebSocket", session, { input: TELEPHONE });
    const words = ["one", "two", "three", "four", "five", "six", "seven"];
    voice.understands.push(...words);
    for (const _word of words) caller.speak(SAID);
    const answers: string[] = [];
    while (answers.length < words.length) answers.push(...inShort((await caller.turn()).filter(isText)));
    assert.deepEqual(
      answers,
      words.map((word) => `said: ${word}?`),
    );
  });

  it("may type as well, and press keys one by one", async () => {
    await using caller = await openVoice(voice.server.address, "gRPC", await sessionOf());
    caller.wire.say("typed");
    assert.deepEqual(inShort(await caller.turn()), ["said: typed?", "sound", "completed 1"]);
    for (const key of ["1", "2", "3#"]) caller.wire.send({ realtimeInput: { dtmf: key } });
    await caller.turn();
    assert.deepEqual(voice.lastWords(), ["<context>user pressed 123 on keypad.</context>"]);
  });

  it("gets audio for typed text when there is no audio input", async () => {
    await using caller = await openVoice(voice.server.address, "WebSocket", await sessionOf(), { output: TELEPHONE });
    caller.wire.say("typed");
    const turn = await caller.turn();
    assert.deepEqual(inShort(turn), ["said: typed?", "sound", "completed 1"]);
    // "typed?" has six characters of 40 ms; packets are 80 ms.
    assert.equal(soundOf(turn, TELEPHONE).length, 0.24 * 8_000);
  });
});

const LONG = "This answer is long enough to be interrupted before it ends, and nobody will hear it whole, ever.";

describe("an answer", () => {
  it("is replaced by the next when the user types meanwhile", async () => {
    voice.answer = (words) => text(words === "first" ? LONG : "Short.");
    await using caller = await openVoice(voice.server.address, "WebSocket", await sessionOf());
    caller.wire.say("first");
    await caller.until(isSound);
    caller.wire.say("second");
    const first = [...(await caller.until(isInterruption)), ...(await caller.turn())];
    const rest = await caller.turn();
    const short = inShort([...first, ...rest]);
    assert.deepEqual(short.slice(short.indexOf("interrupted")), [
      "interrupted",
      "completed 1",
      "said: Short.",
      "sound",
      "completed 2",
    ]);
    assert.deepEqual(voice.lastWords(), ["second"], "without barge_in_awareness the model does not get it");
    // In the turn that was not stored yet.
    assert.equal([first, rest].flatMap((turn) => spansOf(turn, "Interruption")).length, 1);
  });

  it("continues when the channel forbids interruptions, and ignores speech meanwhile", async () => {
    voice.answer = (words) => text(words === "first" ? LONG.slice(0, 40) : "Short.");
    const session = await sessionOf({ defaultChannelProfile: { disableBargeInControl: true } });
    await using caller = await openVoice(voice.server.address, "gRPC", session);
    caller.wire.say("first");
    await caller.until(isSound);
    caller.speak(SAID);
    assert.deepEqual(inShort(await caller.turn()), ["sound", "completed 1"]);
    voice.understands.push("after");
    caller.speak(SAID);
    assert.deepEqual(inShort(await caller.turn()).slice(-3), ["said: Short.", "sound", "completed 2"]);
  });

  it("may be customized: no interruption, keys that end otherwise", async () => {
    voice.answer = (words) =>
      words === "number"
        ? [
            {
              kind: "function-call",
              id: "c",
              name: "customize_response",
              args: {
                content: "Your number, please?",
                disable_barge_in: true,
                enable_dtmf: true,
                dtmf_finish_digit: "*",
                dtmf_endpointing_timeout_modes: "short",
              },
            },
          ]
        : text("Thanks.");
    await using caller = await openVoice(voice.server.address, "gRPC", await sessionOf());
    caller.wire.say("number");
    await caller.until(isSound);
    caller.speak(SAID);
    assert.deepEqual(inShort(await caller.turn()), ["sound", "completed 1"]);
    caller.wire.send({ realtimeInput: { dtmf: "4" } });
    caller.wire.send({ realtimeInput: { dtmf: "#2*" } });
    await caller.turn();
    assert.deepEqual(voice.lastWords(), ["<context>user pressed 4#2 on keypad.</context>"]);
    caller.wire.say("number");
    await caller.turn();
    caller.wire.send({ realtimeInput: { dtmf: "77" } });
    await caller.turn();
    assert.deepEqual(
      voice.lastWords(),
      ["<context>user pressed 77 on keypad.</context>"],
      "a pause of a second ends them",
    );
  });
});

describe("silence of the user", () => {
  it("is reported to the agent after the app's timeout, repeatedly; an empty answer restarts the timeout", async () => {
    const answers = ["", "Are you there?"];
    voice.answer = () => text(answers.shift() ?? "Hello.");
    const session = await sessionOf({
      audioProcessingConfig: { inactivityTimeout: { seconds: 0n, nanos: 600_000_000 } },
    });
    await using caller = await openVoice(voice.server.address, "WebSocket", session);
    assert.deepEqual(inShort(await caller.turn()), ["said: Are you there?", "sound", "completed 1"]);
    assert.deepEqual(voice.lastWords(), ["<context>no user activity detected for 1 seconds.</context>"]);
    assert.equal(answers.length, 0);
  });
});

describe("a recognizer that is down", () => {
  after(() => {
    voice.provider.broken = false;
  });

  it("ends the stream as unavailable when the app handles no errors; the session continues in the next", async () => {
    voice.answer = (words) => text(`${words}?`);
    const session = await sessionOf();
    voice.provider.broken = true;
    {
      await using caller = await openVoice(voice.server.address, "WebSocket", session, { input: TELEPHONE });
      caller.speak(SAID);
      assert.equal(await caller.next(), undefined);
    }
    voice.provider.broken = false;
    await using again = await openVoice(voice.server.address, "WebSocket", session);
    voice.understands.push("again");
    again.speak(SAID);
    assert.deepEqual(inShort(await again.turn()).slice(-3), ["said: again?", "sound", "completed 1"]);
  });

  it("lets the agent say the app's fallback, and ends the session after as many as it allows", async () => {
    const session = await sessionOf({
      languageSettings: { defaultLanguageCode: "de-DE" },
      errorHandlingSettings: {
        errorHandlingStrategy: Strategy.FALLBACK_RESPONSE,
        fallbackResponseConfig: { customFallbackMessages: { de: "Wie bitte?" }, maxFallbackAttempts: 1 },
      },
    });
    voice.provider.broken = true;
    await using caller = await openVoice(voice.server.address, "gRPC", session, { input: TELEPHONE });
    caller.speak(SAID);
    const turn = await caller.turn();
    assert.deepEqual(inShort(turn), ["said: Wie bitte?", "completed 1"]);
    assert.match(String(JSON.stringify(spansOf(turn, "SpeechToText"))), /deepgram\/nova-3 failed/);
    caller.speak(SAID);
    assert.deepEqual(inShort(await caller.until(({ endSession }) => Boolean(endSession))), [
      "ends",
      "completed 2",
      "end of session",
    ]);
  });
});

describe("a voice that is down", () => {
  it("leaves the answer in writing, and the turn whole", async () => {
    const session = await sessionOf();
    await using caller = await openVoice(voice.server.address, "WebSocket", session);
    voice.provider.broken = true;
    caller.wire.say("typed");
    const turn = await caller.turn();
    voice.provider.broken = false;
    assert.deepEqual(inShort(turn), ["said: typed?", "completed 1"]);
    assert.match(String(spansOf(turn, "TextToSpeech")[0]?.attributes?.error), /deepgram\/speak failed: status 503/);
    caller.wire.say("more");
    assert.deepEqual(inShort(await caller.turn()), ["said: more?", "sound", "completed 2"]);
  });
});

describe("a client function", () => {
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${voice.server.address}/v1beta/${path}`, { method, body: JSON.stringify(body) });
    assert.equal(response.status, 200, await response.text());
  };

  it("may be answered while its announcement is still playing, without interrupting it", async () => {
    const session = await sessionOf();
    const [app = ""] = session.split("/sessions/");
    await call("POST", `${app}/tools?toolId=look-it-up`, { clientFunction: { name: "look", description: "Looks." } });
    await call("PATCH", `${app}/agents/root-agent?updateMask=tools`, { tools: [`${app}/tools/look-it-up`] });
    const announcement = "I look that up.";
    voice.answer = (words) =>
      words === "look"
        ? [...text(announcement), { kind: "function-call", id: "call-1", name: "look", args: {} }]
        : text("It is so.");
    await using caller = await openVoice(voice.server.address, "gRPC", session);
    caller.wire.say("look");
    const before = await caller.until(({ sessionOutput }) => Boolean(sessionOutput && "toolCalls" in sessionOutput));
    caller.wire.send({
      realtimeInput: { toolResponses: { toolResponses: [{ id: "call-1", response: { fields: {} } }] } },
    });
    const first = [...before, ...(await caller.turn())];
    assert.deepEqual(
      inShort(first).filter((word) => word.startsWith("interrupted")),
      [],
    );
    assert.ok(soundOf(first, TELEPHONE).length >= announcement.length * 0.04 * 8_000);
    assert.deepEqual(inShort(await caller.turn()), ["said: It is so.", "sound", "completed 2"]);
  });
});

// The last of all: this server takes no conversations afterwards.
describe("a server that is about to stop", () => {
  it("lets the agent finish, and sends the client go_away", async () => {
    voice.answer = (words) => text(`${words}?`);
    await using caller = await openVoice(voice.server.address, "gRPC", await sessionOf());
    caller.wire.say("typed");
    await caller.until(isText);
    voice.server.app.live.drain();
    const rest = inShort(await caller.turn());
    assert.ok(rest.includes("go away"), rest.join(" | "));
    assert.equal(rest.at(-1), "completed 1");
    // Most clients go on sending silence.
    const line = setInterval(() => caller.speak(silence(800)), 50);
    assert.equal(await caller.next(), undefined);
    clearInterval(line);
  });
});
