import type { JsonObject, JsonValue } from "../../src/index.ts";

/** What a program must do. Absent: not looked at, except that it returns or raises as it says. */
interface ExpectedResult {
  readonly value?: JsonValue;
  /** `Type: message`. */
  readonly error?: string;
  /** `line function source`, outermost first. */
  readonly frames?: readonly string[];
  readonly state?: { readonly set: JsonObject; readonly removed: readonly string[] };
  readonly output?: readonly string[];
}

/** One small Python program of a conformance file. */
export interface ConformanceProgram {
  readonly claim: string;
  /** Rules of docs/spec that promise the result, by id; `CPython` where the language itself does. */
  readonly source: string;
  readonly code: string;
  readonly entry: string;
  readonly args: JsonObject;
  readonly expected: ExpectedResult;
}

/**
 * Reads a conformance file. A program begins with `#: claim | source` and ends before the next one. Beside Python it has lines
 * that begin with a mark: `#=` the returned JSON, `#!` the exception, `#@` a frame, `#~` the change of state, `#>` a printed
 * line, `#args` keyword arguments, `#entry` the function to call (without one: `f` where there is one, else the first).
 */
export function parsePrograms(text: string): readonly ConformanceProgram[] {
  return text
    .split(/^#: /m)
    .slice(1)
    .map((block) => parseProgram(block.split("\n")));
}

function parseProgram([heading = "", ...lines]: readonly string[]): ConformanceProgram {
  const [claim = "", source = ""] = heading.split(" | ");
  const code = lines.filter((line) => !/^#(?:[=!@~>]|args |entry)/.test(line)).join("\n");
  const marked = (mark: string) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length).trim());
  const [value] = marked("#=");
  const [error] = marked("#!");
  const [state] = marked("#~");
  const [entry] = marked("#entry");
  const [args = "{}"] = marked("#args");
  const [frames, output] = [marked("#@"), marked("#>")];
  return {
    claim,
    source: source.trim(),
    code: `${code.trimEnd()}\n`,
    entry: entry ?? (/^(?:async )?def f\(/m.test(code) ? "f" : ""),
    args: JSON.parse(args),
    expected: {
      ...(value !== undefined && { value: JSON.parse(value) }),
      ...(error !== undefined && { error: error.replaceAll("\\n", "\n") }),
      ...(frames.length > 0 && { frames }),
      ...(state !== undefined && { state: JSON.parse(state) }),
      ...(output.length > 0 && { output }),
    },
  };
}
