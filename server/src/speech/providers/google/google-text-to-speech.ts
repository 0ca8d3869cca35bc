import { isJsonObject } from "#base";
import { readWav, WavError } from "../../audio/wav.ts";
import type { SynthesizeRequest, TextToSpeech } from "../../contract.ts";
import type { GoogleAccess, VoiceMapping } from "../../speech-config.ts";
import { speechUnavailable } from "../../speech-errors.ts";
import { postForJson } from "../http-request.ts";
import { createGoogleHeaders } from "./google-headers.ts";

const RATE = 24_000;
const DEFAULT_LANGUAGE = "en-US";

/**
 * Text to speech by Google Cloud's REST call `text:synthesize`. Texts come a sentence at a time, so one answer is short. The
 * names of voices are the ones that apps use; the app's model and instruction go to generative voices.
 */
export function createGoogleTextToSpeech({ baseUrl, apiKey, ...names }: GoogleAccess & VoiceMapping): TextToSpeech {
  const label = "google/text-to-speech";
  const headersOf = createGoogleHeaders(apiKey, label);
  return {
    label,
    async *synthesize(text, request) {
      const answer = await postForJson({
        label,
        url: `${baseUrl}/v1/text:synthesize`,
        headers: { "content-type": "application/json", ...(await headersOf()) },
        body: JSON.stringify(bodyOf(text, request, names)),
        secrets: [apiKey],
        signal: request.signal,
      });
      if (!isJsonObject(answer) || typeof answer.audioContent !== "string")
        throw speechUnavailable(label, "its answer has no audioContent");
      try {
        // The API returns LINEAR16 as a WAV file.
        yield readWav(Buffer.from(answer.audioContent, "base64"));
      } catch (error) {
        if (error instanceof WavError) throw speechUnavailable(label, error.message);
        throw error;
      }
    },
  };
}

function bodyOf(
  text: string,
  { language, voice, speakingRate, model, instruction }: SynthesizeRequest,
  names: VoiceMapping,
) {
  const name = names.voices[voice] ?? (voice || names.voice);
  return {
    input: { text, ...(instruction !== "" && model !== "" && { prompt: instruction }) },
    voice: {
      languageCode: language || languageOf(name) || DEFAULT_LANGUAGE,
      ...(name !== "" && { name }),
      ...(model !== "" && { modelName: model }),
    },
    audioConfig: { audioEncoding: "LINEAR16", sampleRateHertz: RATE, ...(speakingRate !== 1 && { speakingRate }) },
  };
}

/** Names of voices begin with their language: `en-US-Chirp3-HD-Kore`. */
function languageOf(voice: string): string {
  return /^[a-z]{2,3}-[A-Z]{2}(?=-)/.exec(voice)?.[0] ?? "";
}
