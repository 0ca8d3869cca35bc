import { type ParseError, parse, printParseErrorCode, visit } from "jsonc-parser";
import { lineColumn } from "./line-column.ts";
import type { ParsedText, SyntaxProblem } from "./parsed-text.ts";

/** Strict JSON. A key that stands twice in one object is a remark: the later value wins, as everywhere. */
export function parseJson(text: string): ParsedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "broken", problems: locateErrors(text) };
  }
  return { kind: "parsed", value, remarks: repeatedKeys(text) };
}

/** The engine's own message often has no position; the tolerant parser always knows one. */
function locateErrors(text: string): readonly SyntaxProblem[] {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (!first) return [{ line: 1, column: 1, message: "Not valid JSON." }];
  // What follows the first error is mostly its echo.
  return [
    { ...lineColumn(text, first.offset), message: `Not valid JSON: ${inWords(printParseErrorCode(first.error))}.` },
  ];
}

/** `CommaExpected` → `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=.)([A-Z])/g, " $1").toLowerCase();
}

function repeatedKeys(text: string): readonly SyntaxProblem[] {
  const remarks: SyntaxProblem[] = [];
  const open: Set<string>[] = [];
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, _offset, _length, line, column) => {
      const keys = open.at(-1);
      if (keys?.has(key)) remarks.push({ line: line + 1, column: column + 1, message: repeated(key) });
      keys?.add(key);
    },
  });
  return remarks;
}

function repeated(key: string): string {
  return `The key '${key}' stands twice in one object; its last value was used.`;
}
