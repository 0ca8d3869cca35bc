import { ChannelProfile_ChannelType as ChannelType } from "@frontdesk/protos/ces/common";
import type { TurnRequest } from "./contract.ts";

/** Where a conversation takes place, in the words that conditions of instructions use (TURN-35). */
export interface Channel {
  readonly channel: "api" | "telephony" | "web" | "messaging";
  readonly modality: "text" | "voice";
}

/** The channel of a turn: by its deployment's profile, else the app's default profile, else the API. */
export function channelOf(request: Pick<TurnRequest, "config" | "snapshot">): Channel {
  const type = channelProfileOf(request)?.channelType ?? ChannelType.UNKNOWN;
  return { channel: NAMES[type] ?? "api", modality: modalityOf(request) };
}

/** The deployment's modality, else that of the session's audio settings (SESS-23). */
function modalityOf({ config, snapshot }: Pick<TurnRequest, "config" | "snapshot">): Channel["modality"] {
  const voice = config.inputAudioConfig !== undefined || config.outputAudioConfig !== undefined;
  return snapshot.modality ?? (voice ? "voice" : "text");
}

/** How the agent behaves on this channel: the deployment's profile, else the app's default. */
export function channelProfileOf({ snapshot }: Pick<TurnRequest, "snapshot">) {
  return snapshot.channelProfile ?? snapshot.snapshot.app?.defaultChannelProfile;
}

const NAMES: Readonly<Partial<Record<ChannelType, Channel["channel"]>>> = {
  [ChannelType.WEB_UI]: "web",
  [ChannelType.TWILIO]: "telephony",
  [ChannelType.GOOGLE_TELEPHONY_PLATFORM]: "telephony",
  [ChannelType.CONTACT_CENTER_AS_A_SERVICE]: "telephony",
  [ChannelType.CONTACT_CENTER_AS_A_SERVICE_CHAT]: "messaging",
  [ChannelType.FIVE9]: "telephony",
  [ChannelType.CONTACT_CENTER_INTEGRATION]: "telephony",
  [ChannelType.WHATSAPP]: "messaging",
  [ChannelType.INSTAGRAM]: "messaging",
};
