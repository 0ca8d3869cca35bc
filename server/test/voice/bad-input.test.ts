import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { openGrpc } from "../live/grpc-client.ts";
import { openRaw } from "../live/raw-client.ts";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";
import { SAID } from "./buzz.ts";
import { inShort, openVoice, soundOf, TELEPHONE, type VoiceMessage } from "./voice-client.ts";
import { startVoiceServer, text, type VoiceServer } from "./voice-server.ts";

let voice: VoiceServer;
let app: string;
before(async () => {
  voice = await startVoiceServer();
  app = await appOfOneAgent(voice.server, "bad-input", { instruction: "Help." });
});
after(() => voice[Symbol.asyncDispose]());

const newSession = () => `${app}/sessions/${randomUUID()}`;
const TELEPHONE_CONFIG = { audioEncoding: "MULAW", sampleRateHertz: 8_000 };
const INVALID_ARGUMENT = 3;
const FAILED_PRECONDITION = 9;
const RESOURCE_EXHAUSTED = 8;

/** How a gRPC stream ends that sends these messages. */
async function endOf(server: TestServer, ...messages: readonly object[]): Promise<readonly [number, string]> {
  await using client = openGrpc(server.address);
  for (const message of messages) client.send(message);
  const { code, details } = await client.status;
  return [code, details];
}

describe("a conversation by voice fails", () => {
  it("with everything that is wrong with its audio configs", async () => {
    const config = {
      session: newSession(),
      inputAudioConfig: {
        audioEncoding: 99,
        sampleRateHertz: 8_001,
        noiseSuppressionLevel: "extreme",
      },
      outputAudioConfig: { audioEncoding: "MULAW", sampleRateHertz: 96_000 },
    };
    const [code, message] = await endOf(voice.server, { config });
    assert.equal(code, INVALID_ARGUMENT);
    for (const field of [
      "config.input_audio_config.audio_encoding: ",
      "config.input_audio_config.sample_rate_hertz: must be one of 8000, 11025, ",
      "config.input_audio_config.noise_suppression_level: must be one of low, moderate, high, very_high",
      "config.output_audio_config.sample_rate_hertz: must be one of ",
    ])
      assert.ok(message.includes(field), message);
  });

  it("with the same message over WebSocket, as close code 1007", async () => {
    await using client = await openWebSocket(voice.server.address);
    client.send({
      config: { session: newSession(), inputAudioConfig: { audioEncoding: "MULAW", sampleRateHertz: 1 } },
    });
    const { code, reason } = await client.closed;
    assert.equal(code, 1007);
    assert.match(reason, /^generic::invalid_argument: config\.input_audio_config\.sample_rate_hertz: must be one of/);
  });

  it("on a server without providers, with an error that says what to configure", async () => {
    await using silent = await startTestServer();
    const name = await appOfOneAgent(silent, "silent", { instruction: "Help." });
    const session = `${name}/sessions/session-1`;
    const both = { session, inputAudioConfig: TELEPHONE_CONFIG, outputAudioConfig: TELEPHONE_CONFIG };
    assert.deepEqual(await endOf(silent, { config: both }), [
      FAILED_PRECONDITION,
      "Set speech.listen and speech.speak in the configuration file (docs/voice.md): this server has no provider of " +
        "speech to text and text to speech. Without one leave out input_audio_config and output_audio_config.",
    ]);
    await using client = await openWebSocket(silent.address);
    client.send({ config: both });
    const { code, reason } = await client.closed;
    const start =
      "[ORIGINAL ERROR] generic::failed_precondition: Set speech.listen and speech.speak in the configuration file";
    assert.deepEqual([code, reason.slice(0, start.length)], [1011, start]);
  });

  it("when audio comes without a config for it, and when the config comes twice", async () => {
    const audio = { realtimeInput: { audio: new Uint8Array(160) } };
    const [first, why] = await endOf(voice.server, { config: { session: newSession() } }, audio);
    assert.deepEqual([first, why.includes("realtime_input.audio")], [INVALID_ARGUMENT, true]);
    const listening = { config: { session: newSession(), outputAudioConfig: TELEPHONE_CONFIG } };
    assert.equal((await endOf(voice.server, listening, audio))[0], INVALID_ARGUMENT);
    const speaking = { config: { session: newSession(), inputAudioConfig: TELEPHONE_CONFIG } };
    assert.equal((await endOf(voice.server, speaking, speaking))[0], INVALID_ARGUMENT);
    assert.equal((await endOf(voice.server, audio, speaking))[0], INVALID_ARGUMENT);
  });

  it("when one message contains more than 30 seconds of audio", async () => {
    const speaking = { config: { session: newSession(), inputAudioConfig: TELEPHONE_CONFIG } };
    const [code, message] = await endOf(voice.server, speaking, { realtimeInput: { audio: new Uint8Array(240_001) } });
    assert.deepEqual([code, message.includes("30 seconds")], [RESOURCE_EXHAUSTED, true]);
  });
});

describe("a conversation by voice takes", () => {
  it("messages of odd lengths, and fields that it does not know", async () => {
    voice.understands.push("odd");
    await using client = await openWebSocket(voice.server.address);
    const inputAudioConfig = { audioEncoding: "LINEAR16", sampleRateHertz: 8_000, enableEchoCancellation: true };
    client.send({ config: { session: newSession(), inputAudioConfig } });
    const bytes = Buffer.from(new Int16Array(SAID.map((sample) => sample * 32_768)).buffer);
    for (let at = 0; at < bytes.length; at += 1_001)
      client.send({ realtimeInput: { audio: bytes.subarray(at, at + 1_001).toString("base64") } });
    const turn = (await client.turn()) as readonly VoiceMessage[];
    assert.deepEqual(inShort(turn), ["heard: odd", "said: odd?", "completed 1"]);
  });
});

describe("a slow reader", () => {
  it("gets everything later, and delays no other client", async () => {
    voice.answer = (words) =>
      text(words === "slow" ? "A hundred and twenty characters, each of them forty milliseconds." : `${words}!`);
    const slow = await openRaw(voice.server.address, WS_PATH);
    slow.send({
      config: { session: newSession(), outputAudioConfig: { audioEncoding: "LINEAR16", sampleRateHertz: 48_000 } },
    });
    slow.pause();
    slow.send({ realtimeInput: { text: "slow" } });
    await using other = await openVoice(voice.server.address, "gRPC", newSession(), { output: TELEPHONE });
    other.wire.say("quick");
    assert.deepEqual(inShort(await other.turn()), ["said: quick!", "sound", "completed 1"]);
    slow.resume();
    const messages: VoiceMessage[] = [];
    while (!messages.at(-1)?.sessionOutput?.turnCompleted) {
      const { opcode, payload } = await slow.frame();
      if (opcode === 1) messages.push(JSON.parse(payload.toString()) as VoiceMessage);
    }
    const sound = soundOf(messages, { encoding: "LINEAR16", rate: 48_000 });
    assert.equal(Math.ceil(sound.length / 3_840), Math.ceil((65 * 0.04) / 0.08), "packets of 80 ms, none lost");
    slow.reset();
  });
});

describe("a client that never reads (WIRE-82)", () => {
  const neverReading = async () => {
    const client = await openRaw(voice.server.address, WS_PATH);
    client.send({
      config: { session: newSession(), inputAudioConfig: { audioEncoding: "MULAW", sampleRateHertz: 8_000 } },
    });
    client.pause();
    return client;
  };
  /** Waits until a number grows no more. */
  const settled = async (count: () => number) => {
    for (let before = -1; before !== count(); await delay(1_000)) before = count();
    return count();
  };

  it("is answered no more questions than it may still hear answers to, and the others once it reads", async () => {
    const QUESTIONS = 150;
    voice.answer = () => text("a".repeat(200_000));
    const before = voice.requests.length;
    const client = await neverReading();
    for (let count = 0; count < QUESTIONS; count++) client.send({ realtimeInput: { text: "more" } });
    const asked = await settled(() => voice.requests.length - before);
    assert.ok(asked < QUESTIONS / 2, `${asked} turns ran`);
    client.resume();
    for (let completed = 0; completed < QUESTIONS; ) {
      const { opcode, payload } = await client.frame();
      if (opcode === 1 && payload.includes('"turnCompleted":true')) completed++;
    }
    client.reset();
  });
});

describe("RunSession and StreamRunSession", () => {
  const call = async (method: string, config: object) => {
    const session = newSession();
    const response = await fetch(`${voice.server.address}/v1beta/${session}:${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ config: { session, ...config }, inputs: [{ text: "typed" }] }),
    });
    return { status: response.status, json: (await response.json()) as Answered };
  };
  interface Answered {
    readonly outputs: readonly NonNullable<VoiceMessage["sessionOutput"]>[];
  }

  it("answer with audio where the client asks for it, the end of the turn with the last chunk", async () => {
    voice.answer = () => text("One. Two.");
    const { json } = await call("runSession", { outputAudioConfig: TELEPHONE_CONFIG });
    const { outputs } = json;
    assert.deepEqual(
      outputs.map(({ text: words, turnCompleted }) => [words, turnCompleted]),
      [
        ["One. Two.", undefined],
        [undefined, undefined],
        [undefined, true],
      ],
    );
    const sound = soundOf(
      outputs.map((sessionOutput) => ({ sessionOutput })),
      TELEPHONE,
    );
    assert.equal(sound.length, 2 * 4 * 0.04 * 8_000);
    const spans = outputs.at(-1)?.diagnosticInfo?.rootSpan.childSpans?.map(({ name }) => name);
    assert.deepEqual(spans, ["LLM", "TextToSpeech", "TextToSpeech"]);
  });

  it("answer in writing when the voice is down", async () => {
    voice.provider.broken = true;
    const { json } = await call("runSession", { outputAudioConfig: TELEPHONE_CONFIG });
    voice.provider.broken = false;
    assert.deepEqual(
      json.outputs.map(({ text: words, turnCompleted }) => [words, turnCompleted]),
      [["One. Two.", true]],
    );
  });
});
