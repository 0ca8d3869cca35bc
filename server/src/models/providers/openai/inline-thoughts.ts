const OPENING = "<think>";
const CLOSING = "</think>";

/** A piece of an answer's text, or of the thoughts before it. */
interface Piece {
  readonly kind: "text-delta" | "thought-delta";
  readonly text: string;
}

/**
 * Tells thoughts from the answer where a server writes them into the text: an answer that begins with `<think>`, as DeepSeek-R1 and Qwen3 answer behind a server
 * that does not separate them. A tag anywhere else is text. White space around the thoughts is left out.
 */
export class InlineThoughts {
  #state: "undecided" | "opened" | "thinking" | "closed" | "answering" = "undecided";
  /** What came and is in no piece yet, because what comes next decides what it is. */
  #held = "";

  /** The pieces that are certain now that `text` has come, too. */
  read(text: string): readonly Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    if (this.#state === "undecided") this.#decide();
    if (this.#state === "opened") this.#skipSpace("thinking");
    if (this.#state === "thinking") pieces.push(...this.#thoughts());
    if (this.#state === "closed") this.#skipSpace("answering");
    if (this.#state === "answering") pieces.push(...this.#take("text-delta", this.#held.length));
    return pieces;
  }

  /** The pieces that were held when the answer ended. */
  end(): readonly Piece[] {
    if (this.#state === "opened" || this.#state === "closed") return [];
    return this.#take(this.#state === "thinking" ? "thought-delta" : "text-delta", this.#held.length);
  }

  #decide(): void {
    const begun = this.#held.trimStart();
    if (begun.startsWith(OPENING)) {
      this.#held = begun.slice(OPENING.length);
      this.#state = "opened";
    } else if (!OPENING.startsWith(begun)) {
      this.#state = "answering";
    }
  }

  #thoughts(): readonly Piece[] {
    const end = this.#held.indexOf(CLOSING);
    if (end === -1) return this.#take("thought-delta", this.#held.length - lengthOfBegun(CLOSING, this.#held));
    const pieces = this.#take("thought-delta", end);
    this.#held = this.#held.slice(CLOSING.length);
    this.#state = "closed";
    return pieces;
  }

  #skipSpace(next: "thinking" | "answering"): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#state = next;
  }

  #take(kind: Piece["kind"], length: number): readonly Piece[] {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === "" ? [] : [{ kind, text }];
  }
}

/** How many characters at the end of `text` may be the begin of `tag`. */
function lengthOfBegun(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
