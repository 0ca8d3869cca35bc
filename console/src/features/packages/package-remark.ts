/** One thing that an import found: in which file, at which line, what. */
export interface PackageRemark {
  /** Empty: the package as a whole. */
  readonly file: string;
  /** From 1; 0 when no line is told. */
  readonly line: number;
  /** The field of the manifest, or empty. */
  readonly field: string;
  readonly text: string;
}

/** Remarks of one file. */
export interface FileRemarks {
  readonly file: string;
  readonly remarks: readonly PackageRemark[];
}

const PLACE =
  /^(?<file>[^\s:]+(?:\/|\.\w+)|[^:\n]*\.(?:json|yaml|yml|py|txt)|[^:\n]+\/(?: \([^)]*\))?)(?::(?<at>\d+)(?::\d+)?)?: (?<rest>.*)$/s;
const LINE = /^line (?<line>\d+)(?:, column \d+)?: (?<rest>.*)$/s;
const FIELD = /^(?<field>[A-Za-z][\w.]*(?:\[\d+\])?(?:\.[\w[\]]+)*): (?<rest>.*)$/s;

/** Takes a warning of an import apart; what it cannot make out stays in the text. */
export function parseRemark(warning: string): PackageRemark {
  const { file = "", at = "0", rest = warning } = PLACE.exec(warning)?.groups ?? {};
  const placed = LINE.exec(rest)?.groups;
  const text = placed?.rest ?? rest;
  const named = FIELD.exec(text)?.groups;
  return { file, line: Number(placed?.line ?? at), field: named?.field ?? "", text: named?.rest ?? text };
}

/** Remarks by file, those of the whole package first; within a file by line. */
export function byFile(warnings: readonly string[]): readonly FileRemarks[] {
  const files = new Map<string, PackageRemark[]>();
  for (const remark of warnings.map(parseRemark)) files.set(remark.file, [...(files.get(remark.file) ?? []), remark]);
  return [...files]
    .map(([file, remarks]) => ({ file, remarks: remarks.toSorted((left, right) => left.line - right.line) }))
    .toSorted((left, right) => left.file.localeCompare(right.file));
}
