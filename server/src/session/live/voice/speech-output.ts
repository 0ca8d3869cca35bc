import { create } from "@bufbuild/protobuf";
import { SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { AsyncQueue, type Clock, type JsonObject, type Logger, thrownMessage } from "#base";
import {
  type CreateResampler,
  createResamplers,
  encode,
  joinSamples,
  type Samples,
  type Speech,
  type SynthesizeRequest,
  type TextToSpeech,
} from "#speech";
import type { SessionEngine, TurnEvent, TurnRequest } from "../../contract.ts";
import type { ChannelSpan } from "../../trace.ts";
import { recognizeInputs } from "./recognize-inputs.ts";
import { resampled } from "./resampled.ts";
import { sentencesOf } from "./sentences.ts";
import { speechNotConfigured } from "./speech-not-configured.ts";
import { type SpeakableText, textInProgress } from "./text-in-progress.ts";
import { type AudioFormat, readAudioFormats, type VoiceSettings, voiceSettings } from "./voice-settings.ts";

interface SpeechOutputDeps {
  readonly speech: Pick<Speech, "speechToText" | "textToSpeech">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Adds sound to single turns (RunSession, StreamRunSession) whose client asks for it: audio inputs are recognized, and each text is followed by one
 * audio output per sentence, unpaced (SESS-10); where text is streamed, a sentence is spoken as soon as it is written (WIRE-57).
 */
export function withSpeechOutput(engine: SessionEngine, deps: SpeechOutputDeps): SessionEngine {
  const createResampler = createResamplers();
  return {
    ...engine,
    runTurn: (request) => {
      const { inputAudioConfig, outputAudioConfig } = request.config;
      const single = !request.voice && (inputAudioConfig || outputAudioConfig);
      return single ? runVoiceTurn(engine, request, { ...deps, createResampler }) : engine.runTurn(request);
    },
  };
}

async function* runVoiceTurn(
  engine: SessionEngine,
  request: TurnRequest,
  deps: SpeechOutputDeps & { readonly createResampler: CreateResampler },
): AsyncGenerator<TurnEvent, void> {
  const { input, output } = readAudioFormats(request.config);
  const missing = speechNotConfigured({ input, output }, deps.speech);
  if (missing) throw missing;
  const { speechToText, textToSpeech } = deps.speech;
  const heard =
    input && speechToText
      ? await recognizeInputs(request, { ...deps, speechToText, format: input })
      : { inputs: request.inputs, spoken: false, spans: [] };
  const { inputs, ...understood } = heard;
  const speaker = output && textToSpeech ? new TurnSpeaker({ ...deps, textToSpeech, request, output }) : undefined;
  const voice = { ...understood, spokenSpans: async () => (await speaker?.spoken()) ?? [] };
  const events = engine.runTurn({ ...request, inputs, voice });
  yield* speaker ? speaker.speak(events) : events;
}

interface Speaking {
  readonly textToSpeech: TextToSpeech;
  readonly request: TurnRequest;
  readonly output: AudioFormat;
  readonly createResampler: CreateResampler;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Speaks the texts of a single turn. Texts that are streamed are spoken as the model writes them (WIRE-57); the events go on meanwhile. */
class TurnSpeaker {
  readonly #speaking: Speaking;
  readonly #settings: VoiceSettings;
  readonly #spans: ChannelSpan[] = [];
  #spoken: Promise<void> = Promise.resolve();
  #mute = false;

  constructor(speaking: Speaking) {
    this.#speaking = speaking;
    this.#settings = voiceSettings(speaking.request.snapshot, speaking.request.config);
  }

  /** The events, and after each text its sound. What comes after a text waits until that is spoken. */
  speak(events: AsyncIterable<TurnEvent>): AsyncIterable<TurnEvent> {
    let isLeft = false;
    const queue = new AsyncQueue<TurnEvent>(() => {
      isLeft = true;
    });
    const pump = async (): Promise<void> => {
      let written = textInProgress(this.#settings);
      for await (const event of events) {
        if (event.kind !== "text-delta") await this.#spoken;
        if (isLeft) return;
        queue.push(event);
        if (event.kind === "text-delta") this.#say(written.write(event.text), event.turnIndex, queue);
        if (event.kind !== "output" || event.output.outputType.case !== "text") continue;
        const { turnIndex, outputType } = event.output;
        const isBegun = event.alreadyStreamed && !written.empty;
        const rest = isBegun ? written.end() : { sentences: sentencesOf(outputType.value), text: outputType.value };
        this.#say(rest, turnIndex, queue);
        written = textInProgress(this.#settings);
      }
    };
    pump().then(
      () => queue.end(),
      (error: unknown) => queue.fail(error),
    );
    return queue;
  }

  /** The work of speaking, once all is spoken that was said by now. */
  async spoken(): Promise<readonly ChannelSpan[]> {
    await this.#spoken;
    return this.#spans.splice(0);
  }

  #say({ sentences, text }: SpeakableText, turnIndex: number, queue: AsyncQueue<TurnEvent>): void {
    const synthesis = this.#settings.synthesisOf(text);
    for (const sentence of sentences)
      this.#spoken = this.#spoken.then(async () => {
        const audio = await this.#soundOf(sentence, synthesis);
        if (audio) queue.push(soundEvent(audio, turnIndex));
      });
  }

  /** When the provider fails, the rest has no audio: the client has the text already. */
  async #soundOf(sentence: string, synthesis: Omit<SynthesizeRequest, "signal">): Promise<Uint8Array | undefined> {
    const { textToSpeech, request, output, clock, logger } = this.#speaking;
    // Nobody waits for a turn that is stopped; the engine says why.
    if (this.#mute || request.signal.aborted) return undefined;
    const startedAt = clock.now();
    const attributes = { provider: textToSpeech.label, characters: sentence.length };
    const end = (more: JsonObject): void => {
      this.#spans.push({
        name: "TextToSpeech",
        startedAt,
        endedAt: clock.now(),
        attributes: { ...attributes, ...more },
      });
    };
    try {
      const samples = await soundOf(sentence, synthesis, this.#speaking);
      end({ "audio duration (ms)": Math.round((1_000 * samples.length) / output.rate) });
      return encode(samples, output.encoding);
    } catch (error) {
      this.#mute = true;
      if (request.signal.aborted) return undefined;
      logger.warn({ err: error, provider: textToSpeech.label }, "an answer could not be spoken");
      end({ error: thrownMessage(error) });
      return undefined;
    }
  }
}

function soundEvent(audio: Uint8Array, turnIndex: number): TurnEvent {
  const output = create(SessionOutputSchema, { outputType: { case: "audio", value: audio }, turnIndex });
  return { kind: "output", output, alreadyStreamed: false };
}

async function soundOf(
  sentence: string,
  synthesis: Omit<SynthesizeRequest, "signal">,
  { textToSpeech, request, output, createResampler }: Speaking,
): Promise<Samples> {
  const chunks = textToSpeech.synthesize(sentence, { ...synthesis, signal: request.signal });
  const pieces: Samples[] = [];
  for await (const piece of resampled(chunks, (from) => createResampler(from, output.rate))) pieces.push(piece);
  return joinSamples(pieces);
}
