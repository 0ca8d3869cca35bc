import { create } from "@bufbuild/protobuf";
import { SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import type { Clock, Logger } from "#base";
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
import { type AudioFormat, readAudioFormats, voiceSettings } from "./voice-settings.ts";

interface SpeechOutputDeps {
  readonly speech: Pick<Speech, "speechToText" | "textToSpeech">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Adds sound to single turns (RunSession, StreamRunSession) whose client asks for it: audio inputs are recognized, and after each text there is one
 * audio output per sentence, unpaced (SESS-10).
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
  const spans: ChannelSpan[] = [];
  const { inputs, ...understood } = heard;
  const voice = { ...understood, spokenSpans: async () => spans.splice(0) };
  const turn = { ...request, inputs, voice };
  if (!output || !textToSpeech) return yield* engine.runTurn(turn);
  for await (const event of engine.runTurn({ ...turn, streamText: false })) {
    yield event;
    if (event.kind !== "output" || event.output.outputType.case !== "text") continue;
    const { turnIndex, outputType } = event.output;
    for await (const audio of speak(outputType.value, {
      ...deps,
      textToSpeech,
      request,
      output,
      spans,
    }))
      yield soundEvent(audio, turnIndex);
  }
}

function soundEvent(audio: Uint8Array, turnIndex: number): TurnEvent {
  const output = create(SessionOutputSchema, { outputType: { case: "audio", value: audio }, turnIndex });
  return { kind: "output", output, alreadyStreamed: false };
}

interface Speaking {
  readonly textToSpeech: TextToSpeech;
  readonly request: TurnRequest;
  readonly output: AudioFormat;
  readonly createResampler: CreateResampler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly spans: ChannelSpan[];
}

/** The audio of a text, a sentence at a time. When the provider fails, the rest has no audio: the client has the text already. */
async function* speak(text: string, speaking: Speaking): AsyncGenerator<Uint8Array, void> {
  const { textToSpeech, request, output, clock, logger, spans } = speaking;
  const synthesis = voiceSettings(request.snapshot, request.config).synthesisOf(text);
  for (const sentence of sentencesOf(text)) {
    const startedAt = clock.now();
    const attributes = { provider: textToSpeech.label, characters: sentence.length };
    try {
      const samples = await soundOf(sentence, synthesis, speaking);
      const duration = Math.round((1_000 * samples.length) / output.rate);
      spans.push({
        name: "TextToSpeech",
        startedAt,
        endedAt: clock.now(),
        attributes: { ...attributes, "audio duration (ms)": duration },
      });
      yield encode(samples, output.encoding);
    } catch (error) {
      request.signal.throwIfAborted();
      logger.warn({ err: error, provider: textToSpeech.label }, "an answer could not be spoken");
      const message = error instanceof Error ? error.message : String(error);
      spans.push({
        name: "TextToSpeech",
        startedAt,
        endedAt: clock.now(),
        attributes: { ...attributes, error: message },
      });
      return;
    }
  }
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
