import { createDecoder } from "../../audio/codec.ts";
import type { TextToSpeech } from "../../contract.ts";
import { providerVoice } from "../../provider-voice.ts";
import type { HttpAccess, VoiceMapping } from "../../speech-config.ts";
import { post } from "../http-request.ts";

/** Sample rate of `response_format: pcm`, which has no header. */
const RATE = 24_000;
const DEFAULT_VOICE = "alloy";

/** Text to speech by OpenAI's `/audio/speech` and every server that is compatible with it: 16-bit audio, streamed. */
export function createOpenAiTextToSpeech({
  baseUrl,
  apiKey,
  model,
  ...names
}: HttpAccess & VoiceMapping & { readonly model: string }): TextToSpeech {
  const label = `openai/${model}`;
  return {
    label,
    async *synthesize(text, { voice, speakingRate, instruction, signal }) {
      const decode = createDecoder("LINEAR16");
      const body = {
        model,
        input: text,
        voice: providerVoice({ voice }, names) || DEFAULT_VOICE,
        response_format: "pcm",
        ...(speakingRate !== 1 && { speed: speakingRate }),
        ...(instruction !== "" && { instructions: instruction }),
      };
      const call = {
        label,
        url: `${baseUrl}/audio/speech`,
        headers: { "content-type": "application/json", ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify(body),
        secrets: [apiKey],
        signal,
      };
      for await (const bytes of post(call)) yield { samples: decode(bytes), rate: RATE };
    },
  };
}
