import { isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { type JsonValue, yamlValue } from "#base";

/** A file that a test run was given. */
export interface TestFile {
  /** As it is shown in reports. */
  readonly path: string;
  readonly text: string;
  /** Why its bytes are no text. */
  readonly problem?: string;
  /** The callback (`python_code.py`) beside a Python test; undefined where there is none. */
  readonly callback?: string | undefined;
}

/** What keeps a file, or a case of it, from being run. */
interface FileProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}

/** A file, or a case of it, that cannot be run. */
export class TestFileError extends Error {
  override readonly name = "TestFileError";
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(`${problem.file}:${problem.line}: ${problem.message}`);
    this.problem = problem;
  }
}

type Path = readonly (string | number)[];

/** A parsed YAML or JSON file with the lines of its parts. */
export interface TestSource {
  readonly path: string;
  readonly value: JsonValue;
  /** The line, from 1, of the part at a path; of the nearest part around it where there is none. */
  lineOf(path: Path): number;
  /** The value at a path in a schema. Throws TestFileError that names each fault. */
  read<Schema extends z.ZodType>(path: Path, schema: Schema): z.output<Schema>;
  /** The error of a part. */
  error(path: Path, message: string): TestFileError;
}

/** Parses YAML, and so JSON too; merge keys count, as in the toolkit's reader. Throws TestFileError for text that is neither. */
export function parseTestSource({ path: file, text, problem }: TestFile): TestSource {
  if (problem !== undefined) throw new TestFileError({ file, line: 1, message: problem });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true });
  const [fault] = document.errors;
  if (fault) {
    const line = fault.linePos?.[0].line ?? 1;
    throw new TestFileError({ file, line, message: `${firstLine(fault.message)} Correct the YAML or JSON.` });
  }
  const found = yamlValue(document);
  if ("problem" in found)
    throw new TestFileError({ file, line: lines.linePos(found.offset).line, message: found.problem });
  const value = found.value as JsonValue;
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const error = (path: Path, message: string) => new TestFileError({ file, line: lineOf(path), message });
  return {
    path: file,
    value,
    lineOf,
    error,
    read: (path, schema) => {
      const parsed = schema.safeParse(at(value, path));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const place = [...path, ...((issue?.path ?? []) as Path)];
      throw error(place, `${place.join(".") || "the file"}: ${issue?.message ?? "cannot be read"}.`);
    },
  };
}

function at(value: JsonValue, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n");
  return line.endsWith(".") ? line : `${line.replace(/:$/, "")}.`;
}
