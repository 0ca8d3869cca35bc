import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  createSpeech,
  joinSamples,
  type Samples,
  type SpeechToTextConfig,
  type SynthesizeRequest,
  type TextToSpeechConfig,
} from "#speech";
import { Code, ConnectError } from "#status";
import { startDeepgramServer } from "./deepgram-server.ts";
import type { FakeProvider } from "./fake-provider.ts";
import { startGoogleSpeech } from "./google-server.ts";
import { startHttpSpeech } from "./http-speech-server.ts";

/** Half a second of sound that the recognizers below know by its length and its first sample. */
const SOUND = Float32Array.from({ length: 8_000 }, (_, at) => (at % 2 === 0 ? 0.5 : -0.25));
const knows = (sound: Samples) => (sound.length === SOUND.length && sound[0] === 0.5 ? "two words more" : "");

async function* inPieces(sound: Samples): AsyncGenerator<Samples, void> {
  for (let at = 0; at < sound.length; at += 1_600) yield sound.subarray(at, at + 1_600);
}

async function recognized(
  config: SpeechToTextConfig,
  sound: Samples = SOUND,
  signal = new AbortController().signal,
  otherLanguages: readonly string[] = [],
) {
  const speech = createSpeech({ listen: config });
  const found: (readonly [string, boolean])[] = [];
  try {
    const request = { language: "en-GB", otherLanguages, signal };
    const results = speech.speechToText?.recognize(inPieces(sound), request) ?? [];
    for await (const { transcript, final } of results) found.push([transcript, final]);
  } finally {
    await speech.close();
  }
  return found;
}

const REQUEST: Omit<SynthesizeRequest, "signal"> = {
  language: "en-GB",
  voice: "",
  speakingRate: 1,
  model: "",
  instruction: "",
};

async function spoken(config: TextToSpeechConfig, request: Partial<SynthesizeRequest> = {}) {
  const speech = createSpeech({ speak: config });
  const pieces: Samples[] = [];
  let at = 0;
  const whole = { ...REQUEST, signal: new AbortController().signal, ...request };
  for await (const { samples, rate } of speech.textToSpeech?.synthesize("Hello you", whole) ?? []) {
    pieces.push(samples);
    at = rate;
  }
  return { seconds: joinSamples(pieces).length / at, rate: at, loudest: Math.max(...joinSamples(pieces)) };
}

/** Nine characters of 40 ms; the loudest sample is the fake's 12,000. */
const TONE = { seconds: 0.36, rate: 24_000, loudest: 12_000 / 32_768 };

async function errorOf(work: Promise<unknown>): Promise<readonly [Code, string]> {
  const error = await work.then(
    () => assert.fail("nothing failed"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConnectError, String(error));
  return [error.code, error.rawMessage];
}

const key = { apiKey: "test-key" };
const noNames = { voice: "", voices: {} };

const LISTENERS: readonly {
  readonly name: string;
  readonly start: () => Promise<FakeProvider>;
  readonly config: (baseUrl: string) => SpeechToTextConfig;
  readonly results: readonly (readonly [string, boolean])[];
  readonly call: RegExp;
  /** What of the call tells that the user may speak four other languages, too. */
  readonly multilingual: RegExp;
}[] = [
  {
    name: "Deepgram's WebSocket",
    start: () => startDeepgramServer(knows),
    config: (baseUrl) => ({ type: "deepgram", baseUrl, ...key, model: "nova-3" }),
    results: [
      ["two", false],
      ["two words more", true],
    ],
    call: /^\/v1\/listen Token test-key model=nova-3&encoding=linear16&sample_rate=16000&channels=1&interim_results=true&punctuate=true&language=en-GB$/,
    multilingual: /&language=multi$/,
  },
  {
    name: "Google's StreamingRecognize",
    start: () => startGoogleSpeech(knows),
    config: (baseUrl) => ({ type: "google", baseUrl, ...key, model: "latest_long" }),
    results: [
      ["two words", false],
      ["two", true],
      ["two words more", true],
    ],
    call: /^test-key LINEAR16 16000 en-GB latest_long true$/,
    multilingual: / en-GB,es-ES,de-DE,fr-FR latest_long /,
  },
  {
    name: "OpenAI's transcriptions",
    start: () => startHttpSpeech(knows),
    config: (baseUrl) => ({ type: "openai", baseUrl: `${baseUrl}/v1`, ...key, model: "whisper-1" }),
    results: [["two words more", true]],
    multilingual: /^model=whisper-1 language=null response/,
    call: /^model=whisper-1 language=en response_format=json utterance\.wav audio\/wav$/,
  },
];

for (const { name, start, config, results, call, multilingual } of LISTENERS) {
  describe(`speech to text over ${name}`, () => {
    it("recognizes an utterance while it is spoken, if the protocol reports that, and as a whole", async () => {
      await using provider = await start();
      assert.deepEqual(await recognized(config(provider.baseUrl)), results);
      assert.equal(provider.calls.length, 1);
      assert.match(provider.calls[0] ?? "", call);
    });

    it("listens for the other languages of an app", async () => {
      await using provider = await start();
      const others = ["es-ES", "de-DE", "fr-FR", "it-IT"];
      await recognized(config(provider.baseUrl), SOUND, new AbortController().signal, others);
      assert.match(provider.calls[0] ?? "", multilingual);
    });

    it("answers nothing without speech", async () => {
      await using provider = await start();
      assert.deepEqual(await recognized(config(provider.baseUrl), SOUND.subarray(0, 1_600)), []);
    });

    it("is unavailable when the provider is down, and does not show the key", async () => {
      await using provider = await start();
      provider.broken = true;
      const [code, message] = await errorOf(recognized(config(provider.baseUrl)));
      assert.equal(code, Code.Unavailable);
      assert.doesNotMatch(message, /test-key/);
    });

    it("is unavailable when nothing listens on its port", async () => {
      const provider = await start();
      await provider[Symbol.asyncDispose]();
      const [code] = await errorOf(recognized(config(provider.baseUrl)));
      assert.equal(code, Code.Unavailable);
    });

    it("distinguishes a wrong key from an outage, without showing the key", async () => {
      await using provider = await start();
      const [code, message] = await errorOf(recognized({ ...config(provider.baseUrl), apiKey: "wrong-secret" }));
      assert.equal(code, Code.FailedPrecondition);
      assert.doesNotMatch(message, /wrong-secret/);
    });

    it("stops when no caller waits for the result any more", async () => {
      await using provider = await start();
      const gone = new AbortController();
      gone.abort(new Error("gone"));
      await assert.rejects(recognized(config(provider.baseUrl), SOUND, gone.signal), /gone/);
    });
  });
}

describe("text to speech over Deepgram's WebSocket", () => {
  it("speaks a text with the voice that is mapped to the app's", async () => {
    await using provider = await startDeepgramServer();
    const config = {
      type: "deepgram",
      baseUrl: provider.baseUrl,
      ...key,
      voice: "",
      voices: { Kore: "aura-2-apollo-en" },
    } as const;
    assert.deepEqual(await spoken(config), TONE);
    assert.deepEqual(await spoken(config, { voice: "Kore" }), TONE);
    assert.deepEqual(
      provider.calls.map((call) => /model=([^&]+)/.exec(call)?.[1]),
      ["aura-2-thalia-en", "aura-2-apollo-en"],
    );
  });

  it("is unavailable when the provider is down", async () => {
    await using provider = await startDeepgramServer();
    provider.broken = true;
    const [code] = await errorOf(spoken({ type: "deepgram", baseUrl: provider.baseUrl, ...key, ...noNames }));
    assert.equal(code, Code.Unavailable);
  });
});

describe("text to speech over Google's text:synthesize", () => {
  it("says a text with voice, model, instruction and speed of the app", async () => {
    await using provider = await startHttpSpeech();
    const config = { type: "google", baseUrl: provider.baseUrl, ...key, ...noNames } as const;
    assert.deepEqual(await spoken(config), TONE);
    await spoken(config, {
      voice: "en-GB-Chirp3-HD-Kore",
      speakingRate: 1.5,
      model: "gemini-tts",
      instruction: "Warmly.",
    });
    assert.deepEqual(
      provider.calls.map((call) => JSON.parse(call)),
      [
        {
          input: { text: "Hello you" },
          voice: { languageCode: "en-GB" },
          audioConfig: { audioEncoding: "LINEAR16", sampleRateHertz: 24_000 },
        },
        {
          input: { text: "Hello you", prompt: "Warmly." },
          voice: { languageCode: "en-GB", name: "en-GB-Chirp3-HD-Kore", modelName: "gemini-tts" },
          audioConfig: { audioEncoding: "LINEAR16", sampleRateHertz: 24_000, speakingRate: 1.5 },
        },
      ],
    );
  });

  it("does not show the key of a call that failed", async () => {
    await using provider = await startHttpSpeech();
    const config = { type: "google", baseUrl: provider.baseUrl, apiKey: "wrong-secret", ...noNames } as const;
    const [code, message] = await errorOf(spoken(config));
    assert.equal(code, Code.FailedPrecondition);
    assert.match(message, /no such key: \[redacted\]/);
  });
});

describe("text to speech over OpenAI's speech", () => {
  it("says a text, streamed", async () => {
    await using provider = await startHttpSpeech();
    const config = {
      type: "openai",
      baseUrl: `${provider.baseUrl}/v1`,
      ...key,
      voice: "nova",
      voices: {},
      model: "tts-1",
    } as const;
    assert.deepEqual(await spoken(config, { speakingRate: 0.5 }), TONE);
    assert.deepEqual(JSON.parse(provider.calls[0] ?? ""), {
      model: "tts-1",
      input: "Hello you",
      voice: "nova",
      response_format: "pcm",
      speed: 0.5,
    });
  });
});

describe("text to speech by a program", () => {
  const program = (script: string, ...args: readonly string[]): TextToSpeechConfig => ({
    type: "program",
    command: process.execPath,
    args: ["-e", script, "--", ...args],
    ...noNames,
  });
  const WRITE = `
    const text = require("node:fs").readFileSync(0, "utf8");
    const sound = Buffer.alloc(2 * 80 * text.length, 1);
    const head = Buffer.alloc(44);
    head.write("RIFF    WAVEfmt ", "latin1"); head.writeUInt32LE(16, 16); head.writeUInt16LE(1, 20); head.writeUInt16LE(1, 22);
    head.writeUInt32LE(Number(process.argv[1]), 24); head.writeUInt16LE(16, 34); head.write("data", 36, "latin1"); head.writeUInt32LE(0x7ffff000, 40);
    process.stdout.write(Buffer.concat([head, sound]));`;

  it("gets the text on its standard input and its arguments filled in", async () => {
    // 175 words a minute at double speed; the program takes it for its rate.
    const { seconds, rate } = await spoken(program(WRITE, "{wordsPerMinute}"), { speakingRate: 2 });
    assert.deepEqual([rate, seconds], [350, (80 * 9) / 350]);
  });

  it("gets a language for a voice, and nothing else that an app may write there", async () => {
    const tell = "console.error(process.argv.slice(1).join()); process.exit(3)";
    const said = async (language: string) => (await errorOf(spoken(program(tell, "{voice}"), { language })))[1];
    assert.match(await said("de-DE"), /failed: de-de/);
    for (const language of ["../../etc/passwd", "--path=/etc", ""]) assert.match(await said(language), /failed: en-us/);
  });

  it("is unavailable with its last output when it fails", async () => {
    const [code, message] = await errorOf(spoken(program("console.error('no such voice'); process.exit(3)")));
    assert.equal(code, Code.Unavailable);
    assert.match(message, /no such voice/);
  });

  it("runs for twice as many sentences at a time as there are processors, and keeps nobody waiting for who listens slowly", async () => {
    const folder = mkdtempSync(join(tmpdir(), "processes-"));
    const most = 2 * availableParallelism();
    const counted = `
      const fs = require("node:fs");
      const mine = process.argv[2] + "/" + process.pid;
      fs.writeFileSync(mine, "");
      if (fs.readdirSync(process.argv[2]).length > ${most}) process.exit(3);
      ${WRITE}
      process.on("exit", () => fs.unlinkSync(mine));`;
    const speech = createSpeech({ speak: program(counted, "8000", folder) });
    // More sound than a pipe holds, of which each listener takes the first piece.
    const sounds = Array.from({ length: most + 2 }, () =>
      speech.textToSpeech
        ?.synthesize("Hello you ".repeat(100), { ...REQUEST, signal: new AbortController().signal })
        [Symbol.asyncIterator](),
    );
    const heard = await Promise.all(sounds.map(async (sound) => (await sound?.next())?.done));
    assert.deepEqual(heard, Array(most + 2).fill(false));
    await Promise.all(sounds.map((sound) => sound?.return?.()));
    await speech.close();
    rmSync(folder, { recursive: true });
  });

  it("is unavailable when it is not there", async () => {
    const [code, message] = await errorOf(
      spoken({ type: "program", command: "/nowhere/espeak", args: [], ...noNames }),
    );
    assert.equal(code, Code.Unavailable);
    assert.match(message, /program\/espeak failed: .*ENOENT/);
  });
});
