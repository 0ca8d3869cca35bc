import type { Samples } from "./audio/samples.ts";

/** Settings of one utterance. */
interface RecognizeRequest {
  /** BCP 47, e.g. `en-US`. "" = the recognizer's own choice. */
  readonly language: string;
  /** Other languages that the user may speak. Default none. A provider that cannot tell languages apart listens for `language`. */
  readonly otherLanguages?: readonly string[];
  /** Aborts when the transcript is no longer needed. */
  readonly signal: AbortSignal;
}

/** The transcript of an utterance so far, from its beginning. */
export interface RecognitionResult {
  readonly transcript: string;
  /** Whether the result is final. The last one of an utterance is. */
  readonly final: boolean;
}

/** Speech to text, one utterance at a time: voice activity detection finds its beginning and end. */
export interface SpeechToText {
  /** For traces and log lines, e.g. `deepgram/nova-3`. */
  readonly label: string;
  /**
   * Recognizes an utterance while it is spoken: mono audio at `RECOGNIZER_SAMPLE_RATE` that ends with the utterance. Yields the
   * transcript as it grows; nothing when there was no speech. Throws UNAVAILABLE when the provider cannot be reached or
   * breaks off.
   */
  recognize(audio: AsyncIterable<Samples>, request: RecognizeRequest): AsyncIterable<RecognitionResult>;
}

/** How a text is to be spoken. */
export interface SynthesizeRequest {
  /** BCP 47. "" = the synthesizer's own choice. */
  readonly language: string;
  /** The app's name of a voice (`SynthesizeSpeechConfig.voice`); "" = the synthesizer's usual one. */
  readonly voice: string;
  /** 1 is the voice's own speed; 0.25 to 2. */
  readonly speakingRate: number;
  /** The app's name of a model and its instruction for generative voices; "" = none. */
  readonly model: string;
  readonly instruction: string;
  /** Aborts when the audio is no longer needed. */
  readonly signal: AbortSignal;
}

/** A chunk of audio, mono, with its sample rate. */
export interface AudioChunk {
  readonly samples: Samples;
  /** Hertz. */
  readonly rate: number;
}

/** Text to speech. */
export interface TextToSpeech {
  /** For traces and log lines, e.g. `google/chirp3-hd`. */
  readonly label: string;
  /** Speaks a text: yields the audio in pieces, as they arrive. Throws UNAVAILABLE when the provider cannot be reached or fails. */
  synthesize(text: string, request: SynthesizeRequest): AsyncIterable<AudioChunk>;
}

/** The providers of a server. Each may be absent; conversations that need it are then rejected. */
export interface Speech {
  readonly speechToText?: SpeechToText;
  readonly textToSpeech?: TextToSpeech;
  close(): Promise<void>;
}

/** Sample rate of all recognizers, Hertz. */
export const RECOGNIZER_SAMPLE_RATE = 16_000;
