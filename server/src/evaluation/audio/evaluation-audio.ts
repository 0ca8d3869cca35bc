import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { App, EvaluationPersona } from "@frontdesk/protos/ces/app";
import type {
  TestPersonaVoiceRequest,
  TestPersonaVoiceResponseSchema,
  UploadEvaluationAudioRequest,
  UploadEvaluationAudioResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import { createDecoder, joinSamples, RECOGNIZER_SAMPLE_RATE, type Samples, type Speech, writeWav } from "#speech";
import { invalidArgument, notFound } from "#status";
import type { EvaluationAudio, EvaluationResources } from "../contract.ts";
import { once, speechNotConfigured } from "./speech-providers.ts";

interface AudioDeps {
  readonly resources: Pick<EvaluationResources, "read">;
  readonly speech: Pick<Speech, "speechToText" | "textToSpeech">;
}

/** Sound of one upload, at most: 5 minutes. */
const MAX_BYTES = 5 * 60 * RECOGNIZER_SAMPLE_RATE * 2;
/** Characters that a voice is tested with, at most. */
const MAX_TEXT = 1_000;
/** What a persona speaks with when it does not say. */
const DEFAULT_RATE = 1;

/** Creates the calls of evaluations that have to do with sound (EVAL-47, EVAL-48). */
export function createEvaluationAudio({ resources, speech }: AudioDeps): EvaluationAudio {
  return {
    upload: (request, signal) => transcribe(request, resources, speech, signal),
    testVoice: (request, signal) => speak(request, resources, speech, signal),
  };
}

async function transcribe(
  { name, audioContent }: UploadEvaluationAudioRequest,
  resources: AudioDeps["resources"],
  { speechToText }: AudioDeps["speech"],
  signal: AbortSignal,
): Promise<MessageInitShape<typeof UploadEvaluationAudioResponseSchema>> {
  const { app, evaluations } = await resources.read(name.slice(0, name.indexOf("/evaluations/")));
  if (!evaluations.some((evaluation) => evaluation.name === name)) {
    throw notFound(name, "ces.googleapis.com/Evaluation");
  }
  checkSound(audioContent);
  if (!speechToText) throw speechNotConfigured("listen");
  const samples = createDecoder("LINEAR16")(audioContent);
  const language = app.languageSettings?.defaultLanguageCode ?? "";
  let transcript = "";
  for await (const result of speechToText.recognize(once(samples), { language, signal })) {
    transcript = result.transcript;
  }
  return { transcript, duration: durationFromMs((samples.length / RECOGNIZER_SAMPLE_RATE) * 1_000) };
}

function checkSound(audio: Uint8Array): void {
  const field = "audio_content";
  if (audio.length % 2 !== 0 || startsWithRiff(audio)) {
    const description = "Must be LINEAR16 without a header: single-channel, 16 kHz, two bytes a sample.";
    throw invalidArgument({ field, description });
  }
  if (audio.length > MAX_BYTES) {
    throw invalidArgument({
      field,
      description: `Has ${audio.length} bytes; at most ${MAX_BYTES} (5 minutes) are possible.`,
    });
  }
}

function startsWithRiff(audio: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(audio.subarray(0, 4)) === "RIFF";
}

async function speak(
  { app: appName, personaId, text }: TestPersonaVoiceRequest,
  resources: AudioDeps["resources"],
  { textToSpeech }: AudioDeps["speech"],
  signal: AbortSignal,
): Promise<MessageInitShape<typeof TestPersonaVoiceResponseSchema>> {
  const { app } = await resources.read(appName);
  const { speechConfig } = personaOf(app, personaId) ?? {};
  if (text.length > MAX_TEXT) {
    throw invalidArgument({
      field: "text",
      description: `Has ${text.length} characters; at most ${MAX_TEXT} are possible.`,
    });
  }
  if (!textToSpeech) throw speechNotConfigured("speak");
  const pieces: Samples[] = [];
  let rate = RECOGNIZER_SAMPLE_RATE;
  const spoken = textToSpeech.synthesize(text, {
    language: app.languageSettings?.defaultLanguageCode ?? "",
    voice: speechConfig?.voiceId ?? "",
    speakingRate: speechConfig?.speakingRate || DEFAULT_RATE,
    model: "",
    instruction: "",
    signal,
  });
  for await (const chunk of spoken) {
    pieces.push(chunk.samples);
    rate = chunk.rate;
  }
  return { audio: writeWav({ samples: joinSamples(pieces), rate }) };
}

/** `default`: the voice of a persona without settings. */
function personaOf({ evaluationPersonas }: App, id: string): EvaluationPersona | undefined {
  const persona = evaluationPersonas.find(
    ({ name, displayName }) => [name, displayName].includes(id) || name.endsWith(`/${id}`),
  );
  if (persona || id === "default") return persona;
  const names = evaluationPersonas.map(({ displayName }) => `'${displayName}'`).join(", ") || "none";
  throw invalidArgument({
    field: "persona_id",
    description: `'${id}' is not a persona of the app; its personas are ${names}, and 'default'.`,
  });
}
