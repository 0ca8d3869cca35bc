import { createDecoder } from "../../audio/codec.ts";
import type { TextToSpeech } from "../../contract.ts";
import type { HttpAccess, VoiceNames } from "../../speech-config.ts";
import { voiceName } from "../../voice-name.ts";
import { post } from "../http-call.ts";

/** Rate of `response_format: pcm`, which has no header that would say it. */
const RATE = 24_000;
const USUAL_VOICE = "alloy";

/** Text to speech by OpenAI's `/audio/speech` and every server that is compatible with it: 16-bit sound, streamed. */
export function createOpenAiVoice({
  baseUrl,
  apiKey,
  model,
  ...names
}: HttpAccess & VoiceNames & { readonly model: string }): TextToSpeech {
  const label = `openai/${model}`;
  return {
    label,
    async *synthesise(text, { voice, speakingRate, instruction, signal }) {
      const decode = createDecoder("LINEAR16");
      const body = {
        model,
        input: text,
        voice: voiceName({ voice }, names) || USUAL_VOICE,
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
