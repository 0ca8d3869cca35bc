import { unreachable } from "#base";
import type { Speech, SpeechToText, TextToSpeech } from "./contract.ts";
import { createDeepgramRecogniser } from "./providers/deepgram/deepgram-recogniser.ts";
import { createDeepgramVoice } from "./providers/deepgram/deepgram-voice.ts";
import { createGoogleRecogniser } from "./providers/google/google-recogniser.ts";
import { createGoogleVoice } from "./providers/google/google-voice.ts";
import { createOpenAiRecogniser } from "./providers/openai/openai-recogniser.ts";
import { createOpenAiVoice } from "./providers/openai/openai-voice.ts";
import { createProgramVoice } from "./providers/program/program-voice.ts";
import type { ListenConfig, SpeakConfig, SpeechConfig } from "./speech-config.ts";

/** Creates the providers that are configured. Nothing is connected before the first utterance. */
export function createSpeech({ listen, speak }: SpeechConfig): Speech {
  const recogniser = listen && createRecogniser(listen);
  return {
    ...(recogniser && { listen: recogniser }),
    ...(speak && { speak: createVoice(speak) }),
    close: async () => recogniser?.close?.(),
  };
}

function createRecogniser(config: ListenConfig): SpeechToText & { close?(): void } {
  switch (config.type) {
    case "google":
      return createGoogleRecogniser(config);
    case "openai":
      return createOpenAiRecogniser(config);
    case "deepgram":
      return createDeepgramRecogniser(config);
    default:
      return unreachable(config);
  }
}

function createVoice(config: SpeakConfig): TextToSpeech {
  switch (config.type) {
    case "google":
      return createGoogleVoice(config);
    case "openai":
      return createOpenAiVoice(config);
    case "deepgram":
      return createDeepgramVoice(config);
    case "program":
      return createProgramVoice(config);
    default:
      return unreachable(config);
  }
}
