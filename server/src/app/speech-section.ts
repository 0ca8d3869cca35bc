import { z } from "zod";
import { NO_SPEECH, type SpeechConfig, type SpeechToTextConfig, type TextToSpeechConfig } from "#speech";

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
/** The key itself, or the environment variable that holds it, so that the file can be committed. */
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

/** The section `speech` of the config file: who listens and who speaks in conversations by voice. */
export const SpeechSectionSchema = z.strictObject({
  listen: ListenSchema.optional(),
  speak: SpeakSchema.optional(),
  endOfSpeechMs: z.number().int().min(100).max(5_000).optional(),
  storageUrl: url.optional(),
  ambient: z.string().optional(),
});

/** What conversations by voice are told at start. */
export interface VoiceConfig {
  /** Default: no provider, so they are refused. */
  readonly providers: SpeechConfig;
  /** How much silence ends an utterance, milliseconds. Default 700. */
  readonly endOfSpeechMs?: number;
  /** Address that stands for `gs://` in payloads and ambient sounds. Default Google's. */
  readonly storageUrl?: string;
  /** Folder of `<name>.wav` for the names of prebuilt ambient sounds. Default none. */
  readonly ambientDir?: string;
}

/** Nobody listens, nobody speaks. */
export const NO_VOICE: VoiceConfig = { providers: NO_SPEECH };

type Section = z.infer<typeof SpeechSectionSchema>;
type Environment = Readonly<Record<string, string | undefined>>;

/** The section with the keys of the environment. Throws an error whose message names the variable that is missing. */
export function voiceConfig(section: Section = {}, environment: Environment): VoiceConfig {
  const { listen, speak, endOfSpeechMs, storageUrl, ambient } = section;
  return {
    providers: {
      ...(listen && { listen: listenConfig(listen, environment) }),
      ...(speak && { speak: speakConfig(speak, environment) }),
    },
    ...(endOfSpeechMs !== undefined && { endOfSpeechMs }),
    ...(storageUrl !== undefined && { storageUrl: bare(storageUrl) }),
    ...(ambient !== undefined && { ambientDir: ambient }),
  };
}

/** Where each provider is, how its key is usually called, and its usual model. */
const PROVIDERS = {
  google: {
    listen: "https://speech.googleapis.com",
    speak: "https://texttospeech.googleapis.com",
    keys: ["GOOGLE_API_KEY"],
  },
  openai: { listen: "https://api.openai.com/v1", speak: "https://api.openai.com/v1", keys: ["OPENAI_API_KEY"] },
  deepgram: { listen: "https://api.deepgram.com", speak: "https://api.deepgram.com", keys: ["DEEPGRAM_API_KEY"] },
} as const;
const MODELS = { google: "latest_long", openai: "gpt-4o-mini-transcribe", deepgram: "nova-3" } as const;

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
  // The usual variable holds a key for the vendor's own address; other servers get the key that is written for them.
  const usual = baseUrl === undefined || apiKeyEnv !== undefined ? fromEnvironment : undefined;
  return { baseUrl: bare(baseUrl ?? addresses[side]), apiKey: apiKey ?? usual ?? "" };
}

function bare(address: string): string {
  return address.replace(/\/+$/, "");
}
