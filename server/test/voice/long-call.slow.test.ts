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
import { inShort, openVoice, soundOf, TELEPHONE, type VoiceClient, type VoiceMessage, WIRES } from "./voice-client.ts";

const GREETING = "Hello there.";
const LONG = "Tell me the whole story";
const STOP = "Stop please, another question";
/** What the agent says to each phrase; the long answer is there to be interrupted. */
const ANSWERS: Readonly<Record<string, string>> = {
  "Where is my order?": "On its way.",
  "What is the weather?": "Sunny.",
  "How much does it cost?": "Ten dollars.",
  [LONG]: "It begins in a small house by the sea. There an old man lived alone. ".repeat(6).trim(),
  [STOP]: "Yes?",
};
const QUESTIONS = Object.keys(ANSWERS).slice(0, 3);
const TURNS = 30;

/** Knows the answers, and records what it got. */
class Desk implements LanguageModel {
  readonly label = "test/desk";
  readonly capabilities = LLM_CAPABILITIES;
  readonly received: string[] = [];

  async *stream({ messages }: ModelRequest): AsyncGenerator<StreamPart, void> {
    const words = messages.at(-1)?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) ?? [];
    this.received.push(...words);
    yield { kind: "text-delta", text: ANSWERS[words.at(-1) ?? ""] ?? "Pardon?" };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  }
}

const WELCOME = `
def before_model_callback(callback_context, llm_request):
    if callback_context.user_content.parts[0].text == '<event>session start</event>':
        return LlmResponse.from_parts([Part.from_text('${GREETING}')])
`;

describe("a call of thirty turns", { skip: NO_ESPEAK ?? false }, () => {
  const desk = new Desk();
  const opened = new AsyncDisposableStack();
  let server: TestServer;
  let app: string;
  /** Recognizes the agent's audio: which of the short answers it is. The agent speaks at twice 175 words a minute. */
  const understood = NO_ESPEAK
    ? () => ""
    : phraseRecognizer([GREETING, ...[...QUESTIONS, STOP].map((question) => ANSWERS[question] ?? "")], 350);

  before(async () => {
    const provider = opened.use(await startDeepgramServer(phraseRecognizer(Object.keys(ANSWERS))));
    server = await startTestServer({ model: desk, config: espeakSpeech(provider) });
    opened.use(server);
    app = await appOfOneAgent(
      server,
      "long-calls",
      { instruction: "Help.", beforeModelCallbacks: [{ callback: { case: "pythonCode", value: WELCOME } }] },
      {
        languageSettings: { defaultLanguageCode: "en-US" },
        audioProcessingConfig: {
          bargeInConfig: { bargeInAwareness: true },
          synthesizeSpeechConfigs: { en: { speakingRate: 2 } },
        },
      },
    );
  });
  after(() => opened.disposeAsync());

  /** A question, and its answer as the caller hears it. */
  async function asks(caller: VoiceClient, question: string, index: number): Promise<void> {
    caller.speak(utterance(question, TELEPHONE.rate));
    const turn = await caller.turn();
    assertHeard(turn, question);
    assertAnswered(turn, question, index);
  }

  function assertHeard(messages: readonly VoiceMessage[], question: string): void {
    const lines = inShort(messages);
    assert.ok(lines.includes(`heard: ${question}`), lines.join("\n"));
  }

  function assertAnswered(turn: readonly VoiceMessage[], question: string, index: number): void {
    assert.deepEqual(inShort(turn).slice(-3), [`said: ${ANSWERS[question]}`, "sound", `completed ${index}`]);
    assert.equal(understood(atRate(soundOf(turn, TELEPHONE), TELEPHONE.rate, 16_000)), ANSWERS[question]);
  }

  /** Two turns: a long answer that the caller does not hear to its end, and the answer to what interrupted it. */
  async function interrupts(caller: VoiceClient, index: number): Promise<void> {
    caller.speak(utterance(LONG, TELEPHONE.rate));
    await caller.until(({ sessionOutput }) => sessionOutput?.text === ANSWERS[LONG]);
    for (let packets = 0; packets < 12; packets++) await caller.next();
    caller.speak(utterance(STOP, TELEPHONE.rate));
    const cut = await caller.turn();
    // What interrupted it may be recognized, in part or whole, before the turn that it cut is stored.
    const lines = inShort(cut).filter((line) => !`heard: ${STOP}`.startsWith(line));
    assert.deepEqual(lines.slice(-2), ["interrupted by the user", `completed ${index}`]);
    const answer = await caller.turn();
    assertHeard([...cut, ...answer], STOP);
    assertAnswered(answer, STOP, index + 1);
  }

  async function holdCall(caller: VoiceClient): Promise<void> {
    caller.wire.send({ realtimeInput: { event: { event: "welcome" } } });
    const greeting = await caller.turn();
    assert.deepEqual(inShort(greeting), [`said: ${GREETING}`, "sound", "completed 1"]);
    assert.equal(understood(atRate(soundOf(greeting, TELEPHONE), TELEPHONE.rate, 16_000)), GREETING);
    for (let index = 2; index <= TURNS; ) {
      if (index % 6 === 2 && index < TURNS) {
        await interrupts(caller, index);
        index += 2;
      } else await asks(caller, QUESTIONS[index % 3] ?? "", index++);
    }
  }

  it("takes place over both transports at the same time, with interruptions, and stored whole", async () => {
    const sessions = WIRES.map(() => `${app}/sessions/${randomUUID()}`);
    await Promise.all(
      WIRES.map(async (wire, at) => {
        await using caller = await openVoice(server.address, wire, sessions[at] ?? "");
        await holdCall(caller);
      }),
    );
    const cut = desk.received.filter((words) => words.startsWith("<context>agent speaking was interrupted."));
    assert.equal(cut.length, 10, "five interruptions a call, each reported to the agent");
    for (const session of sessions) {
      const response = await fetch(`${server.address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
      const { turnCount, turns } = (await response.json()) as {
        readonly turnCount: number;
        readonly turns: readonly { readonly messages: readonly { readonly chunks: readonly object[] }[] }[];
      };
      const transcripts = turns.flatMap(({ messages: [user] }) =>
        (user?.chunks ?? []).flatMap((chunk) => ("transcript" in chunk ? [chunk.transcript] : [])),
      );
      assert.deepEqual(
        [turnCount, transcripts.length, transcripts.filter((words) => words === STOP).length],
        [30, 29, 5],
      );
    }
  });
});
