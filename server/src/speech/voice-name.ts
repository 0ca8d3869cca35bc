import type { SpeakRequest } from "./contract.ts";
import type { VoiceNames } from "./speech-config.ts";

/** The provider's name of the voice that an app asks for; names that only another provider knows are replaced. "" = its usual one. */
export function voiceName({ voice }: Pick<SpeakRequest, "voice">, { voice: usual, voices }: VoiceNames): string {
  return voices[voice] ?? usual;
}
