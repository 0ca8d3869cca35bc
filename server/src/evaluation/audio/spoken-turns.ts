import type { App, EvaluationPersona } from "@frontdesk/protos/ces/app";
import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import type { Clock } from "#base";
import { agentVoice, type ChannelSpan, textInput } from "#session";
import {
  createDecoder,
  createResamplers,
  joinSamples,
  RECOGNIZER_SAMPLE_RATE,
  type Resampler,
  type Samples,
  type Speech,
  type SynthesizeRequest,
} from "#speech";
import { unavailable } from "#status";
import { once, speechNotConfigured } from "./speech-providers.ts";

/** Who speaks in a case, and in which language. */
interface Speakers {
  readonly app: App;
  /** Undefined: the provider's usual voice. */
  readonly persona: EvaluationPersona | undefined;
}

/** A text as it was understood, with the work that this took. */
interface Recognized<Content> {
  readonly content: Content;
  readonly spans: readonly ChannelSpan[];
}

/** What both sides of a case understand of each other when it is held by voice (EVAL-49). All reject with status errors. */
export interface SpokenTurns {
  /** FAILED_PRECONDITION with the settings that are missing. */
  check(): void;
  /** The inputs with what the agent understands in place of the user's texts (`speaks`) and sounds. */
  recognizeUser(
    inputs: readonly SessionInput[],
    speakers: Speakers & { readonly speaks: boolean },
    signal: AbortSignal,
  ): Promise<Recognized<readonly SessionInput[]>>;
  /** What the user understands of an agent's texts. */
  recognizeAgent(texts: readonly string[], speakers: Speakers, signal: AbortSignal): Promise<Recognized<string>>;
}

interface SpokenTurnsDeps {
  readonly speech: Pick<Speech, "speechToText" | "textToSpeech">;
  readonly clock: Clock;
}

/** Attribute of a span with what the user understood of the agent. */
export const RECOGNIZED_TEXT = "heard";

/** Speaks and listens with the server's providers. */
export function createSpokenTurns({ speech, clock }: SpokenTurnsDeps): SpokenTurns {
  const createResampler = createResamplers();

  async function spoken(text: string, voice: Omit<SynthesizeRequest, "signal">, signal: AbortSignal): Promise<Samples> {
    if (!speech.textToSpeech) throw speechNotConfigured("speak");
    const pieces: Samples[] = [];
    let from: Resampler | undefined;
    for await (const { samples, rate } of speech.textToSpeech.synthesize(text, { ...voice, signal })) {
      from ??= createResampler(rate, RECOGNIZER_SAMPLE_RATE);
      pieces.push(from.push(samples));
    }
    if (from) pieces.push(from.flush());
    return joinSamples(pieces);
  }

  async function recognized(samples: Samples, { app }: Speakers, signal: AbortSignal): Promise<Recognized<string>> {
    if (!speech.speechToText) throw speechNotConfigured("listen");
    const startedAt = clock.now();
    let transcript = "";
    const language = app.languageSettings?.defaultLanguageCode ?? "";
    for await (const found of speech.speechToText.recognize(once(samples), { language, signal }))
      transcript = found.transcript.trim();
    const duration = Math.round((1_000 * samples.length) / RECOGNIZER_SAMPLE_RATE);
    const attributes = { provider: speech.speechToText.label, "audio duration (ms)": duration };
    return {
      content: transcript,
      spans: [{ name: "SpeechToText", startedAt, endedAt: clock.now(), attributes }],
    };
  }

  async function recognizeInput(
    { inputType }: SessionInput,
    speakers: Speakers & { readonly speaks: boolean },
    signal: AbortSignal,
  ): Promise<Recognized<string> | undefined> {
    if (inputType.case === "audio") return recognized(createDecoder("LINEAR16")(inputType.value), speakers, signal);
    if (inputType.case !== "text" || !speakers.speaks) return undefined;
    return recognized(await spoken(inputType.value, userVoice(speakers), signal), speakers, signal);
  }

  return {
    check: () => {
      if (!speech.textToSpeech) throw speechNotConfigured("speak");
      if (!speech.speechToText) throw speechNotConfigured("listen");
    },
    recognizeUser: async (inputs, speakers, signal) => {
      const content: SessionInput[] = [];
      const spans: ChannelSpan[] = [];
      for (const input of inputs) {
        const heard = await recognizeInput(input, speakers, signal);
        spans.push(...(heard?.spans ?? []));
        if (heard?.content === "")
          throw unavailable("The user's speech was not understood: speech to text found no words in it.");
        content.push(heard ? textInput(heard.content) : input);
      }
      return { content, spans };
    },
    recognizeAgent: async (texts, speakers, signal) => {
      const said = texts.filter((text) => text.trim() !== "");
      const heard: Recognized<string>[] = [];
      for (const text of said)
        heard.push(await recognized(await spoken(text, agentVoice(speakers.app), signal), speakers, signal));
      const spans = heard.flatMap(({ content, spans: own }) =>
        own.map((span) => ({ ...span, attributes: { ...span.attributes, [RECOGNIZED_TEXT]: content } })),
      );
      return { content: heard.map(({ content }) => content).join("\n"), spans };
    },
  };
}

function userVoice({ app, persona }: Speakers): Omit<SynthesizeRequest, "signal"> {
  const { voiceId = "", speakingRate = 0 } = persona?.speechConfig ?? {};
  const language = app.languageSettings?.defaultLanguageCode ?? "";
  return { language, voice: voiceId, speakingRate: speakingRate || 1, model: "", instruction: "" };
}
