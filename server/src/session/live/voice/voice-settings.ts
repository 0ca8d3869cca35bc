import type { AmbientSoundConfig, App } from "@frontdesk/protos/ces/app";
import { AudioEncoding, type SessionConfig } from "@frontdesk/protos/ces/session_service";
import { definedFields, languageRoot } from "#base";
import { type Encoding, languageOf, type SynthesizeRequest } from "#speech";
import { type FieldViolation, invalidArgument } from "#status";
import { channelProfileOf } from "../../channel.ts";
import type { SnapshotRef } from "../../contract.ts";

/** An audio format on the wire. */
export interface AudioFormat {
  readonly encoding: Encoding;
  /** Hertz. */
  readonly rate: number;
}

/** Bytes of a second of audio. */
export function bytesPerSecond({ encoding, rate }: AudioFormat): number {
  return rate * (encoding === "LINEAR16" ? 2 : 1);
}

/** The formats of the client's audio input and output; either may be absent. */
export interface AudioFormats {
  readonly input?: AudioFormat;
  readonly output?: AudioFormat;
}

/** The voice settings of the app and its channel. */
export interface VoiceSettings {
  /** BCP 47; "" when the app names none. */
  readonly language: string;
  /** Other languages of the app, when it supports several (TURN-58). */
  readonly otherLanguages: readonly string[];
  /** How far speech must be above the noise floor, dB. */
  readonly marginDb: number;
  /** Whether the user may interrupt the agent. */
  readonly bargeIn: boolean;
  /** Whether the model gets a context message about the part of the answer that the user did not hear (`barge_in_awareness`). */
  readonly bargeInAwareness: boolean;
  /** Inactivity time-out, milliseconds; undefined = none. */
  readonly inactivityMs: number | undefined;
  /** How a text is spoken, which depends on its language. */
  readonly synthesisOf: (text: string) => Omit<SynthesizeRequest, "signal">;
  readonly ambient: AmbientSoundConfig | undefined;
}

const ENCODINGS: Readonly<Partial<Record<AudioEncoding, Encoding>>> = {
  [AudioEncoding.LINEAR16]: "LINEAR16",
  [AudioEncoding.MULAW]: "MULAW",
  [AudioEncoding.ALAW]: "ALAW",
};

const RATES: readonly number[] = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/** The margin over the noise floor for each `noise_suppression_level`, dB (SESS-19). */
const MARGINS: Readonly<Record<string, number>> = { "": 9, low: 7, moderate: 9, high: 12, very_high: 15 };

/** Reads both audio configs. Throws INVALID_ARGUMENT with all violations. */
export function readAudioFormats({ inputAudioConfig, outputAudioConfig }: SessionConfig): AudioFormats {
  const violations: FieldViolation[] = [];
  const read = (config: typeof outputAudioConfig, field: string): AudioFormat | undefined => {
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
  return definedFields({ input, output });
}

/** The settings of the app's current snapshot. */
export function voiceSettings(snapshot: SnapshotRef, config: SessionConfig): VoiceSettings {
  const { app } = snapshot.snapshot;
  const profile = channelProfileOf({ snapshot });
  const { bargeInConfig, inactivityTimeout, ambientSoundConfig } = app?.audioProcessingConfig ?? {};
  const languages = languagesOf(app);
  const [language = "", ...otherLanguages] = languages;
  const level = config.inputAudioConfig?.noiseSuppressionLevel || profile?.noiseSuppressionLevel || "";
  const inactivityMs = inactivityTimeout && Number(inactivityTimeout.seconds) * 1_000 + inactivityTimeout.nanos / 1e6;
  return {
    language,
    otherLanguages,
    marginDb: MARGINS[level] ?? 9,
    bargeIn: !(profile?.disableBargeInControl || bargeInConfig?.disableBargeIn),
    bargeInAwareness: bargeInConfig?.bargeInAwareness ?? false,
    inactivityMs: inactivityMs || undefined,
    synthesisOf: (text) => agentVoice(app, languageOf(text, languages)),
    ambient: ambientSoundConfig,
  };
}

/** The languages of an app, its default first: more than that only where it supports several (TURN-58). */
function languagesOf(app: App | undefined): readonly string[] {
  const {
    defaultLanguageCode = "",
    supportedLanguageCodes = [],
    enableMultilingualSupport,
  } = app?.languageSettings ?? {};
  return enableMultilingualSupport && defaultLanguageCode !== ""
    ? [...new Set([defaultLanguageCode, ...supportedLanguageCodes])]
    : [defaultLanguageCode];
}

/** How the agents of an app speak a language, by default the app's own: the entry of the language, else of its root, case-insensitive (SESS-20). */
export function agentVoice(
  app: App | undefined,
  language = app?.languageSettings?.defaultLanguageCode ?? "",
): Omit<SynthesizeRequest, "signal"> {
  const entries = Object.entries(app?.audioProcessingConfig?.synthesizeSpeechConfigs ?? {});
  const find = (code: string) => entries.find(([key]) => key.toLowerCase() === code.toLowerCase())?.[1];
  const {
    voice = "",
    speakingRate = 0,
    model = "",
    instruction = "",
  } = find(language) ?? find(languageRoot(language)) ?? {};
  return { language, voice, speakingRate: speakingRate || 1, model, instruction };
}
