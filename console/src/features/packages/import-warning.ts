/** One thing that an import found: in which file, at which line, what. */
interface ImportWarning {
  /** Empty: the package as a whole. */
  readonly file: string;
  /** From 1; 0 without a line. */
  readonly line: number;
  /** The field of the manifest, or empty. */
  readonly field: string;
  readonly text: string;
}

/** Warnings of one file. */
interface FileWarnings {
  readonly file: string;
  readonly warnings: readonly ImportWarning[];
}

const PLACE =
  /^(?<file>[^\s:]+(?:\/|\.\w+)|[^:\n]*\.(?:json|yaml|yml|py|txt)|[^:\n]+\/(?: \([^)]*\))?)(?::(?<at>\d+)(?::\d+)?)?: (?<rest>.*)$/s;
const LINE = /^line (?<line>\d+)(?:, column \d+)?: (?<rest>.*)$/s;
const FIELD = /^(?<field>[A-Za-z][\w.]*(?:\[\d+\])?(?:\.[\w[\]]+)*): (?<rest>.*)$/s;

/** Takes a warning of an import apart; what it cannot make out stays in the text. */
export function parseImportWarning(warning: string): ImportWarning {
  const { file = "", at = "0", rest = warning } = PLACE.exec(warning)?.groups ?? {};
  const placed = LINE.exec(rest)?.groups;
  const text = placed?.rest ?? rest;
  const named = FIELD.exec(text)?.groups;
  return { file, line: Number(placed?.line ?? at), field: named?.field ?? "", text: named?.rest ?? text };
}

/** Warnings by file, those of the whole package first; within a file by line. */
export function groupByFile(warnings: readonly string[]): readonly FileWarnings[] {
  const files = new Map<string, ImportWarning[]>();
  for (const warning of warnings.map(parseImportWarning))
    files.set(warning.file, [...(files.get(warning.file) ?? []), warning]);
  return [...files]
    .map(([file, warnings]) => ({ file, warnings: warnings.toSorted((left, right) => left.line - right.line) }))
    .toSorted((left, right) => left.file.localeCompare(right.file));
}
