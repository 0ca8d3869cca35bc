import type { AmbientSoundConfig, App } from "@frontdesk/protos/ces/app";
import { AudioEncoding, type SessionConfig } from "@frontdesk/protos/ces/session_service";
import type { Encoding, SpeakRequest } from "#speech";
import { type FieldViolation, invalidArgument } from "#status";
import { channelProfileOf } from "../../channel.ts";
import type { SnapshotRef } from "../../contract.ts";

/** How sound is written on the wire. */
export interface SoundFormat {
  readonly encoding: Encoding;
  /** Hertz. */
  readonly rate: number;
}

/** What the client wants to send and to hear; either may be absent. */
export interface SoundFormats {
  readonly input?: SoundFormat;
  readonly output?: SoundFormat;
}

/** How the app and its channel want a conversation by voice to be held. */
export interface VoiceSettings {
  /** BCP 47; "" when the app names none. */
  readonly language: string;
  /** How far speech stands above noise, dB. */
  readonly marginDb: number;
  /** Whether the user may interrupt the agent. */
  readonly bargeIn: boolean;
  /** Whether the model is told what the user did not hear. */
  readonly awareness: boolean;
  /** Silence after which the agent is told of it, milliseconds; undefined = never. */
  readonly inactivityMs: number | undefined;
  readonly speak: Omit<SpeakRequest, "signal">;
  readonly ambient: AmbientSoundConfig | undefined;
}

const ENCODINGS: Readonly<Partial<Record<AudioEncoding, Encoding>>> = {
  [AudioEncoding.LINEAR16]: "LINEAR16",
  [AudioEncoding.MULAW]: "MULAW",
  [AudioEncoding.ALAW]: "ALAW",
};

const RATES: readonly number[] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/** `noise_suppression_level`, as the distance that speech must keep from noise, dB. */
const MARGINS: Readonly<Record<string, number>> = { "": 9, low: 7, moderate: 9, high: 12, very_high: 15 };

/** Reads both audio configs; INVALID_ARGUMENT with everything that is wrong with them. */
export function readFormats({ inputAudioConfig, outputAudioConfig }: SessionConfig): SoundFormats {
  const violations: FieldViolation[] = [];
  const read = (config: typeof outputAudioConfig, field: string): SoundFormat | undefined => {
    if (!config) return undefined;
    const encoding = ENCODINGS[config.audioEncoding];
    const rate = config.sampleRateHertz;
    if (!encoding)
      violations.push({ field: `${field}.audio_encoding`, description: "must be LINEAR16, MULAW or ALAW" });
    if (!RATES.includes(rate))
      violations.push({ field: `${field}.sample_rate_hertz`, description: `must be one of ${RATES.join(", ")}` });
    return encoding && { encoding, rate };
  };
  const level = inputAudioConfig?.noiseSuppressionLevel ?? "";
  if (MARGINS[level] === undefined) {
    const levels = Object.keys(MARGINS).filter(Boolean).join(", ");
    violations.push({
      field: "config.input_audio_config.noise_suppression_level",
      description: `must be one of ${levels}`,
    });
  }
  const input = read(inputAudioConfig as typeof outputAudioConfig, "config.input_audio_config");
  const output = read(outputAudioConfig, "config.output_audio_config");
  if (violations.length > 0) throw invalidArgument(violations);
  return { ...(input && { input }), ...(output && { output }) };
}

/** The settings as the app has them now. */
export function voiceSettings(snapshot: SnapshotRef, config: SessionConfig): VoiceSettings {
  const { app } = snapshot.snapshot;
  const profile = channelProfileOf({ snapshot });
  const { bargeInConfig, inactivityTimeout, ambientSoundConfig } = app?.audioProcessingConfig ?? {};
  const language = app?.languageSettings?.defaultLanguageCode ?? "";
  const level = config.inputAudioConfig?.noiseSuppressionLevel || profile?.noiseSuppressionLevel || "";
  const inactivityMs = inactivityTimeout && Number(inactivityTimeout.seconds) * 1_000 + inactivityTimeout.nanos / 1e6;
  return {
    language,
    marginDb: MARGINS[level] ?? 9,
    bargeIn: !(profile?.disableBargeInControl || bargeInConfig?.disableBargeIn),
    awareness: bargeInConfig?.bargeInAwareness ?? false,
    inactivityMs: inactivityMs || undefined,
    speak: speakRequest(app, language),
    ambient: ambientSoundConfig,
  };
}

/** The entry of the language, else of its root; case does not count (proto comment of `synthesize_speech_configs`). */
function speakRequest(app: App | undefined, language: string): VoiceSettings["speak"] {
  const entries = Object.entries(app?.audioProcessingConfig?.synthesizeSpeechConfigs ?? {});
  const find = (code: string) => entries.find(([key]) => key.toLowerCase() === code.toLowerCase())?.[1];
  const { voice = "", speakingRate = 0, model = "", instruction = "" } = find(language) ?? find(rootOf(language)) ?? {};
  return { language, voice, speakingRate: speakingRate || 1, model, instruction };
}

function rootOf(language: string): string {
  return language.split("-")[0] ?? "";
}
