/** Which providers a server speaks and listens with. Made from the operator's settings, or by hand in a test. */
export interface SpeechConfig {
  readonly listen?: ListenConfig;
  readonly speak?: SpeakConfig;
}

/** Speech to text. */
export type ListenConfig =
  | (GoogleAccess & { readonly type: "google"; readonly model: string })
  | (HttpAccess & { readonly type: "openai"; readonly model: string })
  | (HttpAccess & { readonly type: "deepgram"; readonly model: string });

/** Text to speech. */
export type SpeakConfig = VoiceNames &
  (
    | (GoogleAccess & { readonly type: "google" })
    | (HttpAccess & { readonly type: "openai"; readonly model: string })
    | (HttpAccess & { readonly type: "deepgram" })
    | ProgramConfig
  );

/** Where a provider is, and the key it asks for. */
export interface HttpAccess {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** "" = the server asks for none. */
  readonly apiKey: string;
}

/** Google Cloud: by key, or by application default credentials. */
export interface GoogleAccess {
  readonly baseUrl: string;
  /** "" = application default credentials. */
  readonly apiKey: string;
}

/** The provider's own names for the voices that apps ask for. */
export interface VoiceNames {
  /** What speaks when an app names no voice, or one that is not in `voices`. "" = the provider's usual one. */
  readonly voice: string;
  /** From an app's name of a voice to the provider's. */
  readonly voices: Readonly<Record<string, string>>;
}

/** A program on the operator's machine, such as espeak-ng: text on its standard input, a WAV file on its standard output. */
export interface ProgramConfig {
  readonly type: "program";
  readonly command: string;
  /** `{voice}`, `{language}` and `{wordsPerMinute}` are filled in. */
  readonly args: readonly string[];
}

/** Nothing configured: conversations are by text. */
export const NO_SPEECH: SpeechConfig = {};
