import type { Config } from "#app";
import type { FakeProvider } from "./fake-provider.ts";

/** What a server is configured with that listens over Deepgram's wire and speaks with espeak-ng. */
export function espeakSpeech({ baseUrl }: FakeProvider): Pick<Config, "voice"> {
  const args = ["--stdin", "--stdout", "-v", "{voice}", "-s", "{wordsPerMinute}"];
  return {
    voice: {
      providers: {
        listen: { type: "deepgram", baseUrl, apiKey: "test-key", model: "nova-3" },
        speak: { type: "program", command: "espeak-ng", args, voice: "", voices: {} },
      },
    },
  };
}
