import type { SessionConfig } from "@frontdesk/protos/ces/session_service";
import { failedPrecondition } from "#status";

/** Whether a client means to speak or to listen. */
export function wantsVoice({ inputAudioConfig, outputAudioConfig }: SessionConfig): boolean {
  return inputAudioConfig !== undefined || outputAudioConfig !== undefined;
}

/** What a server without speech providers does with a conversation by voice. */
// biome-ignore lint/correctness/useYield: a conversation that is refused says nothing
export async function* refuseVoice(): AsyncGenerator<never, void> {
  throw failedPrecondition(
    "This server has no speech provider, so it can hold conversations by text only. Leave out input_audio_config and " +
      "output_audio_config, or let the operator configure a provider of speech to text and one of text to speech.",
    { reason: "SPEECH_NOT_CONFIGURED" },
  );
}
