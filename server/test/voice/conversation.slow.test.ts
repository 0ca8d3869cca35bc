import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { startDeepgramServer } from "./deepgram-server.ts";
import { atRate, NO_ESPEAK, utterance } from "./espeak.ts";
import { espeakSpeech } from "./espeak-speech.ts";
import { phraseRecognizer } from "./phrase-recognizer.ts";
import {
  inShort,
  openVoice,
  packetsOf,
  type SpanJson,
  soundOf,
  TELEPHONE,
  type VoiceMessage,
  WIRES,
} from "./voice-client.ts";

const PHRASES = [
  "Where is my order?",
  "I want to return it",
  "Stop please, another question",
  "What is the weather?",
  "Goodbye",
];

/** What the agent says to each phrase. The long one is there to be interrupted. */
const ANSWERS: Readonly<Record<string, string>> = {
  "Where is my order?": "It is on its way.",
  "I want to return it":
    "You can return it within thirty days. Please keep the box and all the papers. Then print the label and bring it to any shop of ours. We pay you back within a week.",
  "Stop please, another question": "Yes?",
  "What is the weather?": "Sunny.",
};

/** An agent that knows the answers, and says goodbye. */
class Desk implements LanguageModel {
  readonly label = "test/desk";
  readonly capabilities = LLM_CAPABILITIES;
  readonly requests: ModelRequest[] = [];

  async *stream(request: ModelRequest): AsyncGenerator<StreamPart, void> {
    this.requests.push(request);
    const words = request.messages.at(-1)?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) ?? [];
    const last = words.at(-1) ?? "";
    if (last === "Goodbye") {
      yield { kind: "text-delta", text: "Bye." };
      yield { kind: "function-call", id: "end", name: "end_session", args: { reason: "done" } };
    } else yield { kind: "text-delta", text: ANSWERS[last] ?? `You said ${last}` };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  }
}

describe("a conversation by voice", { skip: NO_ESPEAK ?? false }, () => {
  const desk = new Desk();
  const opened = new AsyncDisposableStack();
  let server: TestServer;
  let app: string;

  before(async () => {
    const provider = opened.use(await startDeepgramServer(phraseRecognizer(PHRASES)));
    server = await startTestServer({ model: desk, config: espeakSpeech(provider) });
    opened.use(server);
    app = await appOfOneAgent(
      server,
      "voice-desk",
      { instruction: "Help.", tools: ["end_session"] },
      {
        languageSettings: { defaultLanguageCode: "en-US" },
        audioProcessingConfig: {
          bargeInConfig: { bargeInAwareness: true },
          synthesizeSpeechConfigs: { en: { speakingRate: 1.6 } },
        },
      },
    );
  });
  after(() => opened.disposeAsync());
  /** Recognizes the agent's audio: which of the answers it is. The agent speaks at 1.6 times 175 words a minute. */
  const understood = NO_ESPEAK ? () => "" : phraseRecognizer(["It is on its way.", "Sunny.", "Yes?", "Bye."], 280);
  const newSession = () => `${app}/sessions/${randomUUID()}`;

  for (const wire of WIRES) {
    it(`over ${wire} is heard, answered, interrupted and ended`, async () => {
      await using caller = await openVoice(server.address, wire, newSession());
      caller.speak(utterance("Where is my order?", 8_000));
      const first = await caller.turn();
      assert.deepEqual(inShort(first), [
        "heard: Where",
        "heard: Where is my order?",
        "said: It is on its way.",
        "sound",
        "completed 1",
      ]);
      assert.deepEqual([...new Set(packetsOf(first).map((packet) => packet.length))], [640], "packets of 80 ms");
      assert.equal(understood(atRate(soundOf(first, TELEPHONE), 8_000, 16_000)), "It is on its way.");

      caller.speak(utterance("I want to return it", 8_000));
      await caller.until(({ sessionOutput }) => sessionOutput?.text === ANSWERS["I want to return it"]);
      for (let packets = 0; packets < 15; packets++) await caller.next();
      caller.speak(utterance("Stop please, another question", 8_000));
      const cut = await caller.turn();
      const short = inShort(cut).filter((word) => !word.startsWith("heard"));
      assert.deepEqual(short.slice(short.indexOf("interrupted by the user")), [
        "interrupted by the user",
        "completed 2",
      ]);
      const next = await caller.turn();
      assert.deepEqual(inShort(next).slice(-3), ["said: Yes?", "sound", "completed 3"]);
      assertTold(next);

      caller.speak(utterance("Goodbye", 8_000));
      const last = await caller.until(({ endSession }) => endSession !== undefined);
      assert.deepEqual(inShort(last).slice(-5), ["said: Bye.", "ends", "sound", "completed 4", "end of session"]);
      assert.equal(await caller.next(), undefined);
    });
  }

  /** The model got the part of the previous answer that the user had heard, and the trace shows the spans of the channel. */
  function assertTold(turn: readonly VoiceMessage[]): void {
    const parts = desk.requests.at(-1)?.messages.at(-1)?.parts ?? [];
    const [context = "", words] = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
    const heard =
      /^<context>agent speaking was interrupted\. user only heard '(.*)' in the last agent response\.<\/context>$/.exec(
        context,
      )?.[1];
    assert.ok(heard && ANSWERS["I want to return it"]?.startsWith(heard) && heard.length < 140, context);
    assert.equal(words, "Stop please, another question");
    const [user] = turn.at(-1)?.sessionOutput?.diagnosticInfo?.messages ?? [];
    assert.deepEqual(
      user?.chunks.map((chunk) => Object.keys(chunk)[0]),
      ["text", "transcript"],
    );
  }

  for (const format of [
    { encoding: "LINEAR16", rate: 16_000 },
    { encoding: "LINEAR16", rate: 44_100 },
    { encoding: "ALAW", rate: 8_000 },
  ] as const) {
    it(`is understood and answered in ${format.encoding} at ${format.rate} Hz`, async () => {
      await using caller = await openVoice(server.address, "WebSocket", newSession(), {
        input: format,
        output: format,
      });
      caller.speak(utterance("What is the weather?", format.rate));
      const turn = await caller.turn();
      assert.deepEqual(inShort(turn).slice(-3), ["said: Sunny.", "sound", "completed 1"]);
      const sound = soundOf(turn, format);
      assert.equal(understood(atRate(sound, format.rate, 16_000)), "Sunny.");
    });
  }

  it("is stored as a call: transcripts, spans of the channel, no audio", async () => {
    const session = newSession();
    {
      await using caller = await openVoice(server.address, "gRPC", session);
      caller.speak(utterance("Where is my order?", 8_000));
      await caller.turn();
    }
    const response = await fetch(`${server.address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
    const text = await response.text();
    const { turns, inputTypes, channelType } = JSON.parse(text) as StoredCall;
    assert.deepEqual([inputTypes, channelType], [["INPUT_TYPE_AUDIO"], "AUDIO"]);
    assert.deepEqual(turns[0]?.messages[0]?.chunks, [{ transcript: "Where is my order?" }]);
    const spans = turns[0]?.rootSpan.childSpans ?? [];
    assert.deepEqual(
      spans.map(({ name }) => name),
      ["SpeechToText", "LLM", "TextToSpeech"],
    );
    const [listened, , spoke] = spans;
    assert.equal(listened?.attributes?.provider, "deepgram/nova-3");
    assert.ok(Number(listened?.attributes?.["audio duration (ms)"]) > 1_000);
    assert.equal(spoke?.attributes?.provider, "program/espeak-ng");
    assert.ok(Number(spoke?.attributes?.["audio duration (ms)"]) > 300);
    assert.ok(Number(spoke?.attributes?.["time to first audio (ms)"]) >= 0);
    assert.doesNotMatch(text, /"audio"|"blob"/);
  });
});

interface StoredCall {
  readonly turns: readonly {
    readonly messages: readonly { readonly chunks: readonly object[] }[];
    readonly rootSpan: SpanJson;
  }[];
  readonly inputTypes: readonly string[];
  readonly channelType: string;
}
