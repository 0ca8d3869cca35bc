import type { ConnectError } from "@connectrpc/connect";
import type { Samples } from "#speech";
import { failedPrecondition } from "#status";

/** The error of a server without a provider of one side of speech; the settings are those of the section `speech`. */
export function speechNotConfigured(setting: "listen" | "speak"): ConnectError {
  const what = setting === "listen" ? "speech to text" : "text to speech";
  return failedPrecondition(
    `Set speech.${setting} in the configuration file (docs/voice.md): this server has no provider of ${what}.`,
    { reason: "SPEECH_NOT_CONFIGURED" },
  );
}

/** Sound that is there as a whole, as recognizers take it. */
export async function* once(samples: Samples): AsyncGenerator<Samples> {
  yield samples;
}
