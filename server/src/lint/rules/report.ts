import { placeOf } from "../app/document.ts";
import type { LintedApp, LintedResource } from "../app/linted-app.ts";
import { keyOf } from "../app/manifest-fields.ts";
import type { SourceText } from "../app/source-text.ts";
import type { Place, Report, TextEdit } from "../contract.ts";
import type { ParsedPython, PythonFacts } from "../python/python-facts.ts";

/** A report at a field of a manifest; the field is the path of its names in camelCase. */
export function atField(
  { document, manifest }: LintedResource,
  path: readonly (string | number)[],
  message: string,
  fix?: readonly TextEdit[],
): Report {
  const [first, ...rest] = path;
  const place = placeOf(document, typeof first === "string" ? [keyOf(manifest, first), ...rest] : path);
  return { place, message, ...(fix && fix.length > 0 && { fix }) };
}

/** A report at a position of a Python file. */
export function atCode(
  source: SourceText,
  { line, column }: { readonly line: number; readonly column: number },
  message: string,
  fix?: readonly TextEdit[],
): Report {
  const place: Place = { file: source.file, line, column };
  return { place, message, ...(fix && fix.length > 0 && { fix }) };
}

/** Every match of a pattern in a text, with a report for those that `message` has one for. */
export function* atMatches(
  source: SourceText,
  pattern: RegExp,
  message: (match: RegExpExecArray) => string | undefined,
): Iterable<Report> {
  for (const match of source.text.matchAll(pattern)) {
    const text = message(match);
    if (text !== undefined) yield { place: source.placeAt(match.index), message: text };
  }
}

/** The facts of a file of the app; undefined for a file without facts and for one with a syntax error. */
export function factsOf({ python, prefix }: LintedApp, source: SourceText | undefined): PythonFacts | undefined {
  const parsed = parsedPython({ python, prefix }, source);
  return parsed && !("error" in parsed) ? parsed : undefined;
}

/** The facts or the syntax error of a file of the app. */
export function parsedPython(
  { python, prefix }: Pick<LintedApp, "python" | "prefix">,
  source: SourceText | undefined,
): ParsedPython | undefined {
  return source && python.get(source.file.slice(prefix.length));
}

/** Names in quotes, as a list for people. */
export function quoted(names: Iterable<string>): string {
  return [...names].map((name) => `'${name}'`).join(", ") || "none";
}

/** `camelCase` and `PascalCase` as `snake_case`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])([A-Z])/g, "_$1").toLowerCase();
}
