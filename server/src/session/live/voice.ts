import type { SessionConfig } from "@frontdesk/protos/ces/session_service";
import type { Line } from "./contract.ts";
import { speechMissing } from "./voice/speech-missing.ts";
import { readFormats } from "./voice/voice-settings.ts";

/** Whether a client means to speak or to listen. */
export function wantsVoice({ inputAudioConfig, outputAudioConfig }: SessionConfig): boolean {
  return inputAudioConfig !== undefined || outputAudioConfig !== undefined;
}

/** What a server without speech providers does with a conversation by voice. */
// biome-ignore lint/correctness/useYield: a conversation that is refused says nothing
export async function* refuseVoice({ config }: Line): AsyncGenerator<never, void> {
  throw speechMissing(readFormats(config), {});
}
