import { clone } from "@bufbuild/protobuf";
import { type Part, PartSchema } from "@frontdesk/protos/a2a/a2a";
import { textPart } from "../messages/to-parts.ts";

/** An update of the artifact. */
export interface AnswerChunk {
  readonly parts: readonly Part[];
  /** Whether it comes after what was told, or in place of it. */
  readonly append: boolean;
  readonly lastChunk: boolean;
}

/**
 * Tells an answer as it comes, and marks its last piece (A2A-25): clients wait for that before they keep an answer. Nobody knows that a piece is the
 * last one before the turn has ended, so a little of what was said always waits: a whole part, or the last character of a text.
 */
export class AnswerFeed {
  readonly #tell: (chunk: AnswerChunk) => void;
  #held: readonly Part[] = [];
  #isTold = false;
  #isRewritten = false;

  constructor(tell: (chunk: AnswerChunk) => void) {
    this.#tell = tell;
  }

  /** A piece of a text. `continues`: it belongs to the text of the piece before. */
  addPiece(text: string, continues: boolean): void {
    const [held] = this.#held;
    if (continues && held?.content.case === "text") {
      this.#held = [textPart(held.content.value + text)];
    } else {
      this.tellAll();
      this.#held = [textPart(text)];
    }
    this.tellMost();
  }

  addParts(parts: readonly Part[]): void {
    this.tellAll();
    this.#held = parts;
  }

  /** What was told is not what the answer is by now. */
  rewrite(): void {
    this.#isRewritten = true;
  }

  /** Tells all but the last character, when something else is done before the agent says more. */
  tellMost(): void {
    const last = this.#held.at(-1);
    if (last?.content.case !== "text") return;
    const tail = Array.from(last.content.value.slice(-2)).at(-1) ?? "";
    const told = last.content.value.slice(0, last.content.value.length - tail.length);
    const before = this.#held.slice(0, -1);
    this.#send(told === "" ? before : [...before, withText(last, told)]);
    this.#held = [withText(last, tail)];
  }

  tellAll(): void {
    this.#send(this.#held);
    this.#held = [];
  }

  /** The answer is whole. What nothing can be added to, or is another than was told, is told again in place of it. */
  end(whole: readonly Part[]): void {
    const parts = this.#isRewritten || this.#held.length === 0 ? whole : this.#held;
    const isAnything = this.#isTold || this.#held.length > 0;
    if (isAnything) this.#tell({ parts, append: this.#isTold && parts !== whole, lastChunk: true });
    this.#held = [];
    this.#isTold = false;
    this.#isRewritten = false;
  }

  #send(parts: readonly Part[]): void {
    if (parts.length === 0) return;
    this.#tell({ parts, append: this.#isTold, lastChunk: false });
    this.#isTold = true;
  }
}

function withText(part: Part, text: string): Part {
  const copy = clone(PartSchema, part);
  copy.content = { case: "text", value: text };
  return copy;
}
