/** Which providers a server speaks and listens with. Made from the operator's settings, or by hand in a test. */
export interface SpeechConfig {
  readonly listen?: SpeechToTextConfig;
  readonly speak?: TextToSpeechConfig;
}

/** Speech to text. */
export type SpeechToTextConfig =
  | (GoogleAccess & { readonly type: "google"; readonly model: string })
  | (HttpAccess & { readonly type: "openai"; readonly model: string })
  | (HttpAccess & { readonly type: "deepgram"; readonly model: string });

/** Text to speech. */
export type TextToSpeechConfig = VoiceMapping &
  (
    | (GoogleAccess & { readonly type: "google" })
    | (HttpAccess & { readonly type: "openai"; readonly model: string })
    | (HttpAccess & { readonly type: "deepgram" })
    | ProgramConfig
  );

/** A provider's address and key. */
export interface HttpAccess {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** "" = none. */
  readonly apiKey: string;
}

/** Google Cloud: by key, or by application default credentials. */
export interface GoogleAccess {
  readonly baseUrl: string;
  /** "" = application default credentials. */
  readonly apiKey: string;
}

/** The provider's own names for the voices that apps ask for. */
export interface VoiceMapping {
  /** The voice for apps that name none, or one that is not in `voices`. "" = the provider's default. */
  readonly voice: string;
  /** From the app's voice name to the provider's. */
  readonly voices: Readonly<Record<string, string>>;
}

/** A program on the operator's machine, such as espeak-ng: text on its standard input, a WAV file on its standard output. */
export interface ProgramConfig {
  readonly type: "program";
  readonly command: string;
  /** May contain `{voice}`, `{language}` and `{wordsPerMinute}`. */
  readonly args: readonly string[];
}
