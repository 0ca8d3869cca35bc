import type { Speech, SpeechToText, TextToSpeech } from "#speech";
import { type ConnectError, failedPrecondition } from "#status";
import type { AudioFormats } from "./voice-settings.ts";

/**
 * The status error of a server that has no provider for these formats; undefined when it has. The message first names what
 * to configure, because the close reason of a WebSocket holds its first words only.
 */
export function speechNotConfigured(
  { input, output }: { readonly [Side in keyof AudioFormats]?: unknown },
  {
    speechToText,
    textToSpeech,
  }: { readonly speechToText?: SpeechToText; readonly textToSpeech?: TextToSpeech } & Partial<Pick<Speech, "close">>,
): ConnectError | undefined {
  const missing = [
    ...(input && !speechToText
      ? [{ what: "speech to text", setting: "speech.listen", field: "input_audio_config" }]
      : []),
    ...(output && !textToSpeech
      ? [{ what: "text to speech", setting: "speech.speak", field: "output_audio_config" }]
      : []),
  ];
  if (missing.length === 0) return undefined;
  const named = (key: "what" | "setting" | "field") => missing.map((entry) => entry[key]).join(" and ");
  return failedPrecondition(
    `Set ${named("setting")} in the configuration file (docs/voice.md): this server has no provider of ${named("what")}. ` +
      `Without one leave out ${named("field")}.`,
    { reason: "SPEECH_NOT_CONFIGURED" },
  );
}
