import type { SynthesizeRequest } from "./contract.ts";
import type { VoiceMapping } from "./speech-config.ts";

/** The provider's name of the voice that an app asks for. Names of other providers are replaced. "" = the provider's default. */
export function providerVoice(
  { voice }: Pick<SynthesizeRequest, "voice">,
  { voice: usual, voices }: VoiceMapping,
): string {
  return voices[voice] ?? usual;
}
