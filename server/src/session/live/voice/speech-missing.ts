import type { Speech, SpeechToText, TextToSpeech } from "#speech";
import { type ConnectError, failedPrecondition } from "#status";
import type { SoundFormats } from "./voice-settings.ts";

/**
 * Why this server cannot hold a conversation in these formats; undefined when it can. The sentence says first what
 * to configure, because the reason of a closed WebSocket holds its first words only.
 */
export function speechMissing(
  { input, output }: { readonly [Side in keyof SoundFormats]?: unknown },
  { listen, speak }: { readonly listen?: SpeechToText; readonly speak?: TextToSpeech } & Partial<Pick<Speech, "close">>,
): ConnectError | undefined {
  const missing = [
    ...(input && !listen ? [{ what: "speech to text", setting: "speech.listen", field: "input_audio_config" }] : []),
    ...(output && !speak ? [{ what: "text to speech", setting: "speech.speak", field: "output_audio_config" }] : []),
  ];
  if (missing.length === 0) return undefined;
  const named = (key: "what" | "setting" | "field") => missing.map((entry) => entry[key]).join(" and ");
  return failedPrecondition(
    `Set ${named("setting")} in the configuration file (docs/voice.md): this server has no provider of ${named("what")}. ` +
      `Without one leave out ${named("field")}.`,
    { reason: "SPEECH_NOT_CONFIGURED" },
  );
}
