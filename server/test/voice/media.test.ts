import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AgentSchema } from "@frontdesk/protos/ces/agent";
import type { AppSchema } from "@frontdesk/protos/ces/app";
import { type Samples, writeWav } from "#speech";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { SAID } from "./buzz.ts";
import { inShort, openVoice, soundOf, spansOf, type VoiceMessage } from "./voice-client.ts";
import { startVoiceServer, text, type VoiceServer } from "./voice-server.ts";

const WIDE = { encoding: "LINEAR16", rate: 16_000 } as const;

/** A recording of one level, as long as asked. */
const level = (value: number, seconds: number) => ({
  samples: new Float32Array(16_000 * seconds).fill(value),
  rate: 16_000,
});

let voice: VoiceServer;
/** Paths of the recordings that were fetched. */
const fetched: string[] = [];
const opened = new AsyncDisposableStack();
before(async () => {
  const bucket = createServer((request, response) => {
    const files: Readonly<Record<string, Uint8Array>> = {
      "/studio/jingle%201.wav": writeWav(level(0.25, 0.4)),
      "/studio/notice.wav": writeWav(level(0.25, 1.2)),
      "/studio/long.wav": writeWav(level(0.25, 20)),
      "/studio/hum.wav": writeWav(level(0.1, 0.05)),
    };
    const file = files[request.url ?? ""];
    fetched.push(request.url ?? "");
    response.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
  opened.defer(() => new Promise<void>((resolve) => bucket.close(() => resolve())));
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-ambient-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "office_1.wav"), writeWav(level(0.1, 0.05)));
  const storageUrl = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
  voice = opened.use(await startVoiceServer({ storageUrl, ambientDir: folder }));
  voice.answer = () => text("Done.");
});
after(() => opened.disposeAsync());

async function sessionOf(
  agent: MessageInitShape<typeof AgentSchema> = {},
  app: MessageInitShape<typeof AppSchema> = {},
): Promise<string> {
  const name = await appOfOneAgent(
    voice.server,
    `app-${randomUUID().slice(0, 8)}`,
    { instruction: "Help.", ...agent },
    app,
  );
  return `${name}/sessions/${randomUUID()}`;
}

/** An agent whose callback answers with a payload, and then lets the model speak. */
const playing = (payload: string): MessageInitShape<typeof AgentSchema> => ({
  beforeModelCallbacks: [{ callback: { case: "pythonCode", value: playingCode(payload) } }],
});

const playingCode = (payload: string) => `
def before_model_callback(callback_context, llm_request):
    response = LlmResponse.from_parts([Part.from_json('${payload}')])
    response.partial = True
    return response
`;

/** How many samples are near a value. */
const near = (sound: Samples, value: number) => sound.filter((sample) => Math.abs(sample - value) < 0.01).length;
const isSound = ({ sessionOutput }: VoiceMessage) => (sessionOutput?.audio?.length ?? 0) > 0;

describe("a recording that a callback asks for", () => {
  it("is played before the text that follows it", async () => {
    const session = await sessionOf(playing('{"audioUri": "gs://studio/jingle 1.wav"}'));
    await using caller = await openVoice(voice.server.address, "gRPC", session, { output: WIDE });
    caller.wire.say("Hi");
    const turn = await caller.turn();
    assert.deepEqual(inShort(turn), ["said: Done.", "sound", "completed 1"]);
    const sound = soundOf(turn, WIDE);
    assert.ok(near(sound.subarray(0, 6_000), 0.25) > 5_500, "the jingle comes first");
    assert.ok(near(sound.subarray(7_000), 0.25) < 1_000, "then the words");
  });

  it("is stopped by the answer when it is cancellable", async () => {
    const session = await sessionOf(playing('{"audioUri": "gs://studio/long.wav", "cancellable": true}'));
    voice.answer = () => text("Done.");
    await using caller = await openVoice(voice.server.address, "WebSocket", session, { output: WIDE });
    caller.wire.say("Hi");
    const turn = await caller.turn();
    assert.ok(soundOf(turn, WIDE).length < 2 * 16_000, "not all of its twenty seconds");
  });

  it("cannot be interrupted when it is not interruptable", async () => {
    const session = await sessionOf(playing('{"audioUri": "gs://studio/notice.wav", "interruptable": false}'));
    await using caller = await openVoice(voice.server.address, "gRPC", session, {
      input: { encoding: "MULAW", rate: 8_000 },
      output: WIDE,
    });
    caller.wire.say("Hi");
    await caller.until(isSound);
    caller.speak(SAID);
    assert.deepEqual(
      inShort(await caller.turn()).filter((word) => word.startsWith("interrupted")),
      [],
    );
  });

  it("that does not exist leaves the text, and is in the trace", async () => {
    const session = await sessionOf(playing('{"audioUri": "gs://studio/missing.wav"}'));
    await using caller = await openVoice(voice.server.address, "gRPC", session, { output: WIDE });
    caller.wire.say("Hi");
    const turn = await caller.turn();
    assert.deepEqual(inShort(turn), ["said: Done.", "sound", "completed 1"]);
    const [first] = spansOf(turn, "TextToSpeech");
    assert.match(
      JSON.stringify(first?.attributes),
      /gs:\/\/studio\/missing\.wav cannot be played: the server answered 404/,
    );
  });

  it("at an address that is closed to apps is not fetched", async () => {
    const session = await sessionOf(playing('{"audioUri": "http://169.254.169.254/latest"}'));
    await using caller = await openVoice(voice.server.address, "gRPC", session, { output: WIDE });
    caller.wire.say("Hi");
    const [first] = spansOf(await caller.turn(), "TextToSpeech");
    assert.match(JSON.stringify(first?.attributes), /refused/);
  });
});

describe("ambient sound", () => {
  const ambient = (source: object): MessageInitShape<typeof AppSchema> =>
    ({ audioProcessingConfig: { ambientSoundConfig: { volumeGainDb: -20, ...source } } }) as never;

  it("is mixed under the agent's speech, at the level that the app sets", async () => {
    for (const source of [
      { source: { case: "gcsUri", value: "gs://studio/hum.wav" } },
      { source: { case: "prebuiltAmbientSound", value: "office_1" } },
    ]) {
      const session = await sessionOf({}, ambient(source));
      await using caller = await openVoice(voice.server.address, "gRPC", session, { output: WIDE });
      caller.wire.say("Hi");
      const sound = soundOf(await caller.turn(), WIDE);
      const mean = sound.reduce((sum, sample) => sum + sample, 0) / sound.length;
      assert.ok(Math.abs(mean - 0.01) < 0.003, `${source.source.case}: mean ${mean}`);
    }
  });

  it("is loaded once for the calls of a server", async () => {
    const session = await sessionOf({}, ambient({ source: { case: "gcsUri", value: "gs://studio/hum.wav" } }));
    for (const call of ["one", "two"]) {
      await using caller = await openVoice(voice.server.address, "gRPC", session + call, { output: WIDE });
      caller.wire.say("Hi");
      await caller.turn();
    }
    assert.equal(fetched.filter((path) => path === "/studio/hum.wav").length, 1);
  });

  it("that is not there is left out, and in the trace", async () => {
    const session = await sessionOf({}, ambient({ source: { case: "prebuiltAmbientSound", value: "coffee_shop" } }));
    await using caller = await openVoice(voice.server.address, "gRPC", session, { output: WIDE });
    caller.wire.say("Hi");
    const turn = await caller.turn();
    assert.deepEqual(inShort(turn), ["said: Done.", "sound", "completed 1"]);
    assert.match(JSON.stringify(spansOf(turn, "TextToSpeech")), /ambient sound/);
  });
});
