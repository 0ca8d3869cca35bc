import { z } from "zod";
import { definedFields } from "#base";
import type { SpeechConfig, SpeechToTextConfig, TextToSpeechConfig } from "#speech";
import { requireAllRead } from "./config-values.ts";

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
/** The key itself, or the environment variable with the key, so that the file can be committed. */
const access = {
  apiKey: z.string().min(1).optional(),
  apiKeyEnv: z.string().min(1).optional(),
  baseUrl: url.optional(),
};
const voices = { voice: z.string().optional(), voices: z.record(z.string(), z.string()).optional() };
const model = z.string().min(1).optional();

const ListenSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("google"), ...access, model }),
  z.strictObject({ type: z.literal("openai"), ...access, model }),
  z.strictObject({ type: z.literal("deepgram"), ...access, model }),
]);

const SpeakSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("google"), ...access, ...voices }),
  z.strictObject({ type: z.literal("openai"), ...access, ...voices, model }),
  z.strictObject({ type: z.literal("deepgram"), ...access, ...voices }),
  z.strictObject({
    type: z.literal("program"),
    ...voices,
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
  }),
]);

/** The section `speech` of the config file: providers for sessions by voice. */
export const SpeechSectionSchema = z.strictObject({
  listen: ListenSchema.optional(),
  speak: SpeakSchema.optional(),
  endOfSpeechMs: z.number().int().min(100).max(5_000).optional(),
  storageUrl: url.optional(),
  ambient: z.string().optional(),
});

/** Settings of sessions by voice. */
export interface VoiceConfig {
  /** Default: none, so such sessions fail. */
  readonly providers: SpeechConfig;
  /** Silence that ends an utterance, milliseconds. Default 700. */
  readonly endOfSpeechMs?: number;
  /** Address that replaces `gs://` in payloads and ambient sounds. Default: Google's. */
  readonly storageUrl?: string;
  /** Folder with `<name>.wav` for prebuilt ambient sounds. Default none. */
  readonly ambientDir?: string;
}

type Section = z.infer<typeof SpeechSectionSchema>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The section with the keys from the environment. Throws an error that names a missing variable. */
export function voiceConfig(section: Section = {}, environment: Environment): VoiceConfig {
  const { listen, speak, endOfSpeechMs, storageUrl, ambient, ...unread } = section;
  requireAllRead(unread);
  return definedFields({
    providers: definedFields({
      listen: listen && listenConfig(listen, environment),
      speak: speak && speakConfig(speak, environment),
    }),
    endOfSpeechMs,
    storageUrl: storageUrl && withoutSlash(storageUrl),
    ambientDir: ambient,
  });
}

type HttpProvider = SpeechToTextConfig["type"] | Exclude<TextToSpeechConfig["type"], "program">;

interface ProviderDefaults {
  readonly listen: string;
  readonly speak: string;
  readonly keys: readonly string[];
}

/** Addresses of each provider, and the usual environment variable of its key. */
const PROVIDERS = {
  google: {
    listen: "https://speech.googleapis.com",
    speak: "https://texttospeech.googleapis.com",
    keys: ["GOOGLE_API_KEY"],
  },
  openai: { listen: "https://api.openai.com/v1", speak: "https://api.openai.com/v1", keys: ["OPENAI_API_KEY"] },
  deepgram: { listen: "https://api.deepgram.com", speak: "https://api.deepgram.com", keys: ["DEEPGRAM_API_KEY"] },
} satisfies Readonly<Record<HttpProvider, ProviderDefaults>>;

/** The usual model of each provider that listens. */
const MODELS: Readonly<Record<SpeechToTextConfig["type"], string>> = {
  google: "latest_long",
  openai: "gpt-4o-mini-transcribe",
  deepgram: "nova-3",
};

function listenConfig(section: NonNullable<Section["listen"]>, environment: Environment): SpeechToTextConfig {
  const { type } = section;
  return { type, ...accessTo(section, "listen", environment), model: section.model ?? MODELS[type] };
}

function speakConfig(section: NonNullable<Section["speak"]>, environment: Environment): TextToSpeechConfig {
  const names = { voice: section.voice ?? "", voices: section.voices ?? {} };
  if (section.type === "program") {
    const { command = "espeak-ng", args = ["--stdin", "--stdout", "-v", "{voice}", "-s", "{wordsPerMinute}"] } =
      section;
    return { type: "program", command, args, ...names };
  }
  const access = accessTo(section, "speak", environment);
  if (section.type === "openai")
    return { type: "openai", ...access, ...names, model: section.model ?? "gpt-4o-mini-tts" };
  return { type: section.type, ...access, ...names };
}

interface AccessSection {
  readonly type: keyof typeof PROVIDERS;
  readonly apiKey?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
  readonly baseUrl?: string | undefined;
}

function accessTo(
  { type, apiKey, apiKeyEnv, baseUrl }: AccessSection,
  side: "listen" | "speak",
  environment: Environment,
) {
  const { keys, ...addresses } = PROVIDERS[type];
  if (apiKeyEnv !== undefined && !environment[apiKeyEnv])
    throw new Error(`speech.${side}.apiKeyEnv: the environment variable ${apiKeyEnv} is not set.`);
  const names = apiKeyEnv === undefined ? keys : [apiKeyEnv];
  const fromEnvironment = names.map((name) => environment[name]).find(Boolean);
  // The usual variable has a key for the vendor's own address. Other servers get a key only if it is set for them.
  const environmentKey = baseUrl === undefined || apiKeyEnv !== undefined ? fromEnvironment : undefined;
  return { baseUrl: withoutSlash(baseUrl ?? addresses[side]), apiKey: apiKey ?? environmentKey ?? "" };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
