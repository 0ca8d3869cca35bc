import assert from "node:assert/strict";
import { test } from "node:test";
import { readWav } from "#speech";
import { startTestServer } from "#testing";
import { tone } from "../voice/fake-provider.ts";
import { startHttpSpeech } from "../voice/http-speech-server.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const PERSONA = {
  name: "grumpy",
  displayName: "Grumpy",
  personality: "Short of time.",
  speechConfig: { voiceId: "Charon", speakingRate: 1.5 },
};

/** A server with speech providers, or without; calls answer with status and JSON. */
async function open(withProviders: boolean) {
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startHttpSpeech(() => "Where is my order?"));
  const access = { type: "openai", baseUrl: `${provider.baseUrl}/v1`, apiKey: "test-key", model: "m" } as const;
  const providers = withProviders
    ? { listen: access, speak: { ...access, voice: "alloy", voices: { Charon: "onyx" } } }
    : {};
  const server = opened.use(await startTestServer({ example: true, config: { voice: { providers } } }));
  const call = async (method: string, path: string, body?: object) => {
    const init = {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    };
    const response = await fetch(`${server.address}/v1beta/${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
    return { status: response.status, answer: (await response.json()) as any };
  };
  await call("PATCH", `${APP}?updateMask=evaluationPersonas`, { evaluationPersonas: [PERSONA] });
  const { answer } = await call("GET", `${APP}/evaluations`);
  const evaluation: string = answer.evaluations[0].name;
  const owned = opened.move();
  return { provider, call, evaluation, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test("the sound of a golden is transcribed (EVAL-47)", async () => {
  await using speech = await open(true);
  const audioContent = tone("x".repeat(25), 16_000).toString("base64");

  const { answer } = await speech.call("POST", `${speech.evaluation}:uploadEvaluationAudio`, { audioContent });

  assert.deepEqual(answer, { transcript: "Where is my order?", duration: "1s" });
});

test("a persona speaks with its voice and rate, and default with the usual one (EVAL-48)", async () => {
  await using speech = await open(true);
  for (const [personaId, voice, speed] of [
    ["grumpy", "onyx", 1.5],
    ["Grumpy", "onyx", 1.5],
    ["default", "alloy", 1],
  ] as const) {
    const { answer } = await speech.call("POST", `${APP}:testPersonaVoice`, { personaId, text: "Hello there" });
    const { samples, rate } = readWav(Buffer.from(answer.audio, "base64"));
    assert.ok(samples.length > 0 && rate > 0);
    const asked = JSON.parse(speech.provider.calls.at(-1) ?? "{}");
    assert.deepEqual([asked.input, asked.voice, asked.speed ?? 1], ["Hello there", voice, speed]);
  }
});

test("refusals name the field or setting and the fix", async () => {
  await using speech = await open(true);
  await using silent = await open(false);
  const audioContent = tone("hello", 16_000).toString("base64");
  const upload = (to: typeof speech, name: string, content: string) =>
    to.call("POST", `${name}:uploadEvaluationAudio`, { audioContent: content });
  const speak = (to: typeof speech, personaId: string, text: string) =>
    to.call("POST", `${APP}:testPersonaVoice`, { personaId, text });
  const refused = [
    [upload(silent, silent.evaluation, audioContent), 400, /Set speech\.listen in the configuration file/],
    [speak(silent, "default", "Hello"), 400, /Set speech\.speak in the configuration file/],
    [upload(speech, `${APP}/evaluations/nobody`, audioContent), 404, /nobody/],
    [
      upload(speech, speech.evaluation, Buffer.from("RIFF....").toString("base64")),
      400,
      /audio_content: Must be LINEAR16 without a header/,
    ],
    [upload(speech, speech.evaluation, Buffer.from("odd").toString("base64")), 400, /audio_content: Must be LINEAR16/],
    [
      speak(speech, "nobody", "Hello"),
      400,
      /persona_id: 'nobody' is not a persona of the app; its personas are 'Grumpy'/,
    ],
    [speak(speech, "default", "x".repeat(1_001)), 400, /text: Has 1001 characters; at most 1000/],
  ] as const;
  for (const [call, status, message] of refused) {
    const refusal = await call;
    assert.equal(refusal.status, status);
    assert.match(refusal.answer.error.message, message);
  }
});
