import type { SourceText } from "../app/source-text.ts";
import type { Report, TextEdit } from "../contract.ts";
import type { PythonFacts } from "../python/python-facts.ts";
import { atCode } from "./report.ts";

/** Names of `typing` that a file uses and does not import: one report for each name, the first with the fix for all. */
export function* missingTypingImports(
  source: SourceText,
  { missingTyping, importLine }: PythonFacts,
): Iterable<Report> {
  const names = [...new Set(missingTyping.map(({ name }) => name))].sort();
  const fix = names.length > 0 ? [importOf(names, source, importLine)] : [];
  for (const [index, name] of names.entries()) {
    const place = missingTyping.find((each) => each.name === name);
    if (place)
      yield atCode(source, place, `'${name}' is not imported: from typing import ${name}`, index === 0 ? fix : []);
  }
}

function importOf(names: readonly string[], source: SourceText, line: number): TextEdit {
  const start = source.offsetOf(line, 1);
  return { file: source.file, start, end: start, text: `from typing import ${names.join(", ")}\n` };
}
