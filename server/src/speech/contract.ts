import type { Samples } from "./audio/samples.ts";

/** What a recogniser is told of an utterance. */
export interface ListenRequest {
  /** BCP 47, e.g. `en-US`. "" = the recogniser's own choice. */
  readonly language: string;
  /** Fires when nobody waits for the words any more. */
  readonly signal: AbortSignal;
}

/** What was understood of an utterance so far, from its beginning. */
export interface Recognised {
  readonly transcript: string;
  /** Whether the recogniser will not change it any more. The last one of an utterance is final. */
  readonly final: boolean;
}

/** Speech to text, one utterance at a time: where it begins and ends is found beforehand. */
export interface SpeechToText {
  /** For traces and log lines, e.g. `deepgram/nova-3`. */
  readonly label: string;
  /**
   * Recognises an utterance while it is spoken: mono sound at `RECOGNISER_RATE` that ends with the utterance. Answers what is
   * understood as it grows; nothing when there were no words. Throws UNAVAILABLE when the provider cannot be reached or
   * breaks off.
   */
  recognise(audio: AsyncIterable<Samples>, request: ListenRequest): AsyncIterable<Recognised>;
}

/** How a text is to be said. */
export interface SpeakRequest {
  /** BCP 47. "" = the synthesiser's own choice. */
  readonly language: string;
  /** The app's name of a voice (`SynthesizeSpeechConfig.voice`); "" = the synthesiser's usual one. */
  readonly voice: string;
  /** 1 is the voice's own speed; 0.25 to 2. */
  readonly speakingRate: number;
  /** The app's name of a model and its instruction for generative voices; "" = none. */
  readonly model: string;
  readonly instruction: string;
  /** Fires when nobody listens any more. */
  readonly signal: AbortSignal;
}

/** A piece of sound, mono. */
export interface Sound {
  readonly samples: Samples;
  /** Hertz. */
  readonly rate: number;
}

/** Text to speech. */
export interface TextToSpeech {
  /** For traces and log lines, e.g. `google/chirp3-hd`. */
  readonly label: string;
  /** Says a text: the sound in pieces, as they are made. Throws UNAVAILABLE when the provider cannot be reached or breaks off. */
  synthesise(text: string, request: SpeakRequest): AsyncIterable<Sound>;
}

/** The providers of a server; each may be absent, and conversations that need it are then refused. */
export interface Speech {
  readonly listen?: SpeechToText;
  readonly speak?: TextToSpeech;
  close(): Promise<void>;
}

/** Sound for recognisers, Hertz: what all of them take. */
export const RECOGNISER_RATE = 16_000;
