import { definedFields, unreachable } from "#base";
import type { Speech, SpeechToText, TextToSpeech } from "./contract.ts";
import { createDeepgramSpeechToText } from "./providers/deepgram/deepgram-speech-to-text.ts";
import { createDeepgramTextToSpeech } from "./providers/deepgram/deepgram-text-to-speech.ts";
import { createGoogleSpeechToText } from "./providers/google/google-speech-to-text.ts";
import { createGoogleTextToSpeech } from "./providers/google/google-text-to-speech.ts";
import { createOpenAiSpeechToText } from "./providers/openai/openai-speech-to-text.ts";
import { createOpenAiTextToSpeech } from "./providers/openai/openai-text-to-speech.ts";
import { createProgramTextToSpeech } from "./providers/program/program-text-to-speech.ts";
import { withSecondRecognition, withSecondSynthesis } from "./second-try.ts";
import type { SpeechConfig, SpeechToTextConfig, TextToSpeechConfig } from "./speech-config.ts";

/** Creates the providers that are configured. Nothing is connected before the first utterance. */
export function createSpeech({ listen, speak }: SpeechConfig): Speech {
  const speechToText = listen && withSecondRecognition(createSpeechToText(listen));
  return {
    ...definedFields({ speechToText }),
    ...(speak && { textToSpeech: withSecondSynthesis(createTextToSpeech(speak)) }),
    close: async () => speechToText?.close?.(),
  };
}

function createSpeechToText(config: SpeechToTextConfig): SpeechToText & { close?(): void } {
  switch (config.type) {
    case "google":
      return createGoogleSpeechToText(config);
    case "openai":
      return createOpenAiSpeechToText(config);
    case "deepgram":
      return createDeepgramSpeechToText(config);
    default:
      return unreachable(config);
  }
}

function createTextToSpeech(config: TextToSpeechConfig): TextToSpeech {
  switch (config.type) {
    case "google":
      return createGoogleTextToSpeech(config);
    case "openai":
      return createOpenAiTextToSpeech(config);
    case "deepgram":
      return createDeepgramTextToSpeech(config);
    case "program":
      return createProgramTextToSpeech(config);
    default:
      return unreachable(config);
  }
}
