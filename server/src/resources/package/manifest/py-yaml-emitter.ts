import { scalarStyle } from "./yaml-style.ts";

const WIDTH = 80;

/**
 * Writes YAML scalars byte for byte like PyYAML's emitter, which folds lines at the first space past column 80; so it keeps count of the
 * column. One emitter writes one file.
 */
export class PyYamlEmitter {
  #out: string[] = [];
  #column = 0;
  #keepsBreaks = false;

  /** Writes a text without line breaks as it is. */
  put(text: string): void {
    this.#out.push(text);
    this.#column += [...text].length;
    this.#keepsBreaks = false;
  }

  /** Starts a line, indented. */
  newLine(indent: number): void {
    this.#out.push("\n", " ".repeat(indent));
    this.#column = indent;
  }

  key(text: string): void {
    const style = scalarStyle(text, true);
    if (style === "plain") this.put(text);
    else if (style === "single") this.put(`'${text.replaceAll("'", "''")}'`);
    else this.put(`"${[...text].map(escaped).join("")}"`);
  }

  /** Writes a text after a space; `indent` is where its further lines start. */
  text(text: string, indent: number): void {
    const style = scalarStyle(text, false);
    if (style === "plain") this.#plain(text, indent);
    else if (style === "single") this.#single(text, indent);
    else if (style === "double") this.#double(text, indent);
    else this.#literal(text, indent);
  }

  /** The whole file, ending in one line break, after `...` when the last text keeps its trailing line breaks. */
  finish(): string {
    const text = this.#out.join("");
    return this.#keepsBreaks ? `${text}\n...\n` : `${text}\n`;
  }

  #plain(text: string, indent: number): void {
    this.put(" ");
    for (const { word, spaces } of words(text)) {
      if (spaces === 1 && this.#column > WIDTH) this.newLine(indent);
      else this.put(" ".repeat(spaces));
      this.put(word);
    }
  }

  #single(text: string, indent: number): void {
    this.put(" '");
    const parts = text.match(/ +|'|[^ ']+/g) ?? [];
    for (const [index, part] of parts.entries()) {
      const inside = index > 0 && index < parts.length - 1;
      if (part === " " && inside && this.#column > WIDTH) this.newLine(indent);
      else this.put(part === "'" ? "''" : part);
    }
    this.put("'");
  }

  #double(text: string, indent: number): void {
    const characters = [...text];
    this.put(' "');
    let pending = "";
    for (const [index, character] of characters.entries()) {
      const safe = escaped(character) === character;
      if (!safe) {
        this.put(pending + escaped(character));
        pending = "";
      }
      if (index > 0 && index < characters.length - 1 && this.#folds(character, safe, pending)) {
        this.put(`${pending}\\`);
        this.newLine(indent);
        pending = "";
        // A folded line must not begin with an unescaped space.
        if ((safe ? character : characters[index + 1]) === " ") this.put("\\");
      }
      if (safe) pending += character;
    }
    this.put(`${pending}"`);
  }

  /** Lines break at spaces and around escapes; after an escape PyYAML counts one column less. */
  #folds(character: string, safe: boolean, pending: string): boolean {
    if (!safe) return this.#column - 1 > WIDTH;
    return (character === " " || pending === "") && this.#column + [...pending].length > WIDTH;
  }

  #literal(text: string, indent: number): void {
    const first = /^[ \n]/.test(text) ? "2" : "";
    const last = !text.endsWith("\n") ? "-" : text === "\n" || text.endsWith("\n\n") ? "+" : "";
    this.put(` |${first}${last}`);
    for (const line of text.replace(/\n$/, "").split("\n")) {
      if (line === "") this.#out.push("\n");
      else {
        this.newLine(indent);
        this.put(line);
      }
    }
    this.#keepsBreaks = last === "+";
  }
}

interface Word {
  readonly spaces: number;
  readonly word: string;
}

function words(text: string): readonly Word[] {
  return [...text.matchAll(/(?<! )( *)([^ ]+)/g)].map(([, spaces = "", word = ""]) => ({
    spaces: spaces.length,
    word,
  }));
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u2028": "L",
  "\u2029": "P",
};

/** A character between double quotes. Those beyond the basic plane stay as they are, as the hosted product keeps them (PKG-14). */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const printable =
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10fffe);
  if (printable && !'"\\\u2028\u2029\ufeff'.includes(character)) return character;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
