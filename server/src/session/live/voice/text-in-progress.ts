import { endsWithinMark, finishedSentences, sentencesOf } from "./sentences.ts";
import type { VoiceSettings } from "./voice-settings.ts";

/** What is to be spoken next. */
export interface SpeakableText {
  readonly sentences: readonly string[];
  /** The text that they are of, as far as it is known: it tells the language. */
  readonly text: string;
}

/** How much of a text tells its language among several, characters. */
const LANGUAGE_SHOWS_IN = 40;

/** A text before its first letter, in the languages of a conversation. */
export function textInProgress({ otherLanguages }: Pick<VoiceSettings, "otherLanguages">): TextInProgress {
  return new TextInProgress(otherLanguages.length > 0 ? LANGUAGE_SHOWS_IN : 0);
}

/** A text while a model writes it: its sentences as soon as they are finished, the same as those of the whole text. */
export class TextInProgress {
  readonly #leastLength: number;
  #text = "";
  #finished = 0;
  #given = 0;

  /** `leastLength`: how much must be finished before the first sentence, characters. */
  constructor(leastLength: number) {
    this.#leastLength = leastLength;
  }

  /** Whether nothing was written yet. */
  get empty(): boolean {
    return this.#text === "";
  }

  /** Adds what was written. Returns the sentences that are finished now and were not before. */
  write(delta: string): SpeakableText {
    this.#text += delta;
    const finished = this.#finished + finishedSentences(this.#text.slice(this.#finished));
    if (finished === this.#finished || finished < this.#leastLength) return { sentences: [], text: "" };
    const text = this.#text.slice(0, finished);
    if (endsWithinMark(text)) return { sentences: [], text: "" };
    this.#finished = finished;
    return this.#rest(text);
  }

  /** The sentences that are left of a text that is written. */
  end(): SpeakableText {
    return this.#rest(this.#text);
  }

  #rest(text: string): SpeakableText {
    const sentences = sentencesOf(text);
    const rest = sentences.slice(this.#given);
    this.#given = sentences.length;
    return { sentences: rest, text };
  }
}
