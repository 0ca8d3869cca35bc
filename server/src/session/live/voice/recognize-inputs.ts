import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { type Clock, createPauses } from "#base";
import { type CreateResampler, createDecoder, RECOGNIZER_SAMPLE_RATE, type SpeechToText } from "#speech";
import { type ConnectError, invalidArgument } from "#status";
import type { TurnRequest } from "../../contract.ts";
import { textInput } from "../../text-input.ts";
import type { ChannelSpan } from "../../trace.ts";
import { unrecognizedSpeechText } from "../../turn/context-texts.ts";
import { secondsOf } from "./resampled.ts";
import { beginUtterance } from "./utterance.ts";
import { type AudioFormat, bytesPerSecond, voiceSettings } from "./voice-settings.ts";

/** The inputs of a single turn with words in place of sound. */
interface RecognizedInputs {
  readonly inputs: readonly SessionInput[];
  /** Whether the last text is what the user said. */
  readonly spoken: boolean;
  readonly spans: readonly ChannelSpan[];
  /** Why the user was not understood. */
  readonly failure?: ConnectError;
}

interface RecognitionDeps {
  readonly speechToText: SpeechToText;
  readonly format: AudioFormat;
  readonly createResampler: CreateResampler;
  readonly clock: Clock;
}

/** Longest sound of one turn, seconds: as the longest utterance of a conversation. */
const MAX_SECONDS = 60;

/**
 * Recognizes the sound of a single turn: all audio inputs are one utterance, at the place of the last. INVALID_ARGUMENT for sound that is too long, and
 * for sound without speech when nothing else was sent (SESS-10).
 */
export async function recognizeInputs(request: TurnRequest, deps: RecognitionDeps): Promise<RecognizedInputs> {
  const { inputs } = request;
  const last = inputs.findLastIndex(isAudio);
  if (last < 0) return { inputs, spoken: false, spans: [] };
  const result = await recognized(request, deps);
  const others = inputs.filter((input) => !isAudio(input));
  if (result.kind === "nothing") {
    if (others.length > 0) return { inputs: others, spoken: false, spans: [] };
    throw invalidArgument({ field: `inputs[${last}].audio`, description: "holds no speech that can be recognized" });
  }
  const spans = [result.span];
  if (result.kind === "failed")
    return { inputs: [...others, textInput(unrecognizedSpeechText())], spoken: false, spans, failure: result.failure };
  const before = inputs.slice(0, last).filter((input) => !isAudio(input));
  const after = inputs.slice(last + 1);
  const spoken = !after.some(({ inputType }) => inputType.case === "text");
  return { inputs: [...before, textInput(result.transcript), ...after], spoken, spans };
}

async function recognized(request: TurnRequest, { speechToText, format, createResampler, clock }: RecognitionDeps) {
  const bytes = Buffer.concat(
    request.inputs.flatMap(({ inputType }) => (inputType.case === "audio" ? [inputType.value] : [])),
  );
  if (bytes.length > MAX_SECONDS * bytesPerSecond(format))
    throw invalidArgument({
      field: "inputs",
      description: `hold more than ${MAX_SECONDS} seconds of sound; longer speech needs BidiRunSession`,
    });
  const { language, otherLanguages } = voiceSettings(request.snapshot, request.config);
  const utterance = beginUtterance({
    speechToText,
    language,
    otherLanguages,
    clock,
    signal: request.signal,
    onTranscript: () => {},
  });
  const resampler = createResampler(format.rate, RECOGNIZER_SAMPLE_RATE);
  const decode = createDecoder(format.encoding);
  const pause = createPauses();
  for (const part of secondsOf(bytes, bytesPerSecond(format))) {
    utterance.push(resampler.push(decode(part)));
    await pause();
  }
  utterance.push(resampler.flush());
  utterance.end();
  const result = await utterance.result;
  request.signal.throwIfAborted();
  return result;
}

function isAudio({ inputType }: SessionInput): boolean {
  return inputType.case === "audio";
}
