import { FormData } from "undici";
import { isJsonObject, languageRoot } from "#base";
import { joinSamples, type Samples } from "../../audio/samples.ts";
import { writeWav } from "../../audio/wav.ts";
import { RECOGNIZER_SAMPLE_RATE, type SpeechToText } from "../../contract.ts";
import type { HttpAccess } from "../../speech-config.ts";
import { speechUnavailable } from "../../speech-errors.ts";
import { postForJson } from "../http-request.ts";

/**
 * Speech to text by OpenAI's `/audio/transcriptions` and every server that is compatible with it (vLLM, faster-whisper,
 * whisper.cpp): it sends the whole utterance as a WAV file, so there are no interim results.
 */
export function createOpenAiSpeechToText({
  baseUrl,
  apiKey,
  model,
}: HttpAccess & { readonly model: string }): SpeechToText {
  const label = `openai/${model}`;
  return {
    label,
    async *recognize(audio, { language, otherLanguages = [], signal }) {
      const pieces: Samples[] = [];
      for await (const samples of audio) pieces.push(samples);
      signal.throwIfAborted();
      const answer = await postForJson({
        label,
        url: `${baseUrl}/audio/transcriptions`,
        headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
        // Without a language the model finds it.
        body: formOf(joinSamples(pieces), model, otherLanguages.length > 0 ? "" : language),
        secrets: [apiKey],
        signal,
      });
      if (!isJsonObject(answer) || typeof answer.text !== "string")
        throw speechUnavailable(label, "its answer has no text");
      const transcript = answer.text.trim();
      if (transcript !== "") yield { transcript, final: true };
    },
  };
}

function formOf(samples: Samples, model: string, language: string): FormData {
  const form = new FormData();
  const wav = writeWav({ samples, rate: RECOGNIZER_SAMPLE_RATE });
  form.set("file", new Blob([wav as Uint8Array<ArrayBuffer>], { type: "audio/wav" }), "utterance.wav");
  form.set("model", model);
  form.set("response_format", "json");
  // The API takes ISO 639-1, without a region.
  if (language !== "") form.set("language", languageRoot(language));
  return form;
}
