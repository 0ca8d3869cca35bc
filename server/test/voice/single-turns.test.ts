import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { encode, type Samples, silence } from "#speech";
import { startTestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { restOf } from "../rest.ts";
import { SAID } from "./buzz.ts";
import { startVoiceServer, type VoiceServer } from "./voice-server.ts";

const LINEAR16 = { audioEncoding: "LINEAR16", sampleRateHertz: 8_000 };

let voice: VoiceServer;
let app: string;
before(async () => {
  voice = await startVoiceServer();
  app = await appOfOneAgent(voice.server, "the-phone", { instruction: "Help.", tools: ["end_session"] });
});
after(() => voice[Symbol.asyncDispose]());

const sound = (samples: Samples) => ({ audio: Buffer.from(encode(samples, "LINEAR16")).toString("base64") });
let sessions = 0;

function run(inputs: readonly object[], config: object = { inputAudioConfig: LINEAR16 }) {
  sessions += 1;
  const session = `${app}/sessions/single-${sessions}`;
  return restOf(() => voice.server)("POST", `${session}:runSession`, { config: { session, ...config }, inputs });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
const textsOf = ({ outputs }: any) => outputs.flatMap(({ text }: any) => text ?? []);

describe("a single turn with sound (SESS-10)", () => {
  it("is a turn with what was said", async () => {
    voice.understands.push("my order");
    const turn = await run([sound(SAID)]);
    assert.deepEqual(textsOf(turn), ["my order?"]);
    const { rootSpan, messages } = turn.outputs.at(-1).diagnosticInfo;
    const names = rootSpan.childSpans.map(({ name }: { readonly name: string }) => name);
    assert.ok(names.includes("SpeechToText"), names.join());
    assert.equal(messages[0].chunks[0].transcript, "my order");
  });

  it("has all its sound as one utterance, among its other inputs, and may be answered with sound", async () => {
    voice.understands.push("and this");
    const half = SAID.length / 2;
    const inputs = [{ text: "typed" }, sound(SAID.subarray(0, half)), sound(SAID.subarray(half))];
    const turn = await run(inputs, { inputAudioConfig: LINEAR16, outputAudioConfig: LINEAR16 });
    assert.deepEqual(voice.lastWords(), ["typed", "and this"]);
    assert.ok(turn.outputs.some(({ audio }: { readonly audio?: string }) => audio));
  });

  it("is refused without speech, without a word on its encoding, and when it is too long", async () => {
    voice.understands.push("");
    await assert.rejects(run([sound(SAID)]), /inputs\[0\]\.audio: holds no speech/);
    await assert.rejects(run([sound(SAID)], {}), /config\.input_audio_config/);
    await assert.rejects(run([sound(silence(61 * 8_000))]), /more than 60 seconds/);
  });

  it("says what to set where no speech is recognized", async () => {
    await using plain = await startTestServer();
    const name = await appOfOneAgent(plain, "the-phone", { instruction: "Help." });
    const config = { session: `${name}/sessions/single-1`, inputAudioConfig: LINEAR16 };
    const asked = restOf(() => plain)("POST", `${config.session}:runSession`, { config, inputs: [sound(SAID)] });
    await assert.rejects(asked, /speech\.listen/);
  });
});
